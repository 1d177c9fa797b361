//! Searching a data block in place, without reassembling its keys.
//!
//! An entry has the number of bytes that it shares with the key before it, and the search knows the number that this
//! key shares with the target. When the entry shares more, it differs from the target in the same byte as the key
//! before it, so it comes before the target as well. Otherwise only the bytes after the shared ones have to be
//! compared.

use super::block::{Block, Damage, Entry};
use super::block_builder::RESTART_INTERVAL_MAX;
use crate::coding::shared_prefix;
use crate::event::ShownKey;
use crate::key::{SplitKey, TRAILER_BYTES, user_key};
use crate::limits::KEY_BYTES_MAX;
use crate::probe::{Among, EntryOrder, Probe, Walked};

/// Where a search in a block ended: the first entry at or after the target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockPosition {
    /// Where the entry begins.
    pub at: usize,
    pub entry: Entry,
    /// The restart point at or before it.
    pub restart: usize,
    /// Entries from there to this one, both counted.
    pub since_restart: usize,
    /// Its sequence number and kind.
    pub trailer: u64,
    /// Whether its user key is that of the target.
    pub same_user_key: bool,
    /// Whether its shared bytes are those of the target. Otherwise the key must be put together from
    /// the restart point on.
    pub shares_with_target: bool,
}

/// The key compared last, as far as a search needs it.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    user_bytes: usize,
    trailer: u64,
    /// Bytes that its user key shares with that of the target; only of one that comes before it.
    matched: usize,
}

/// Where an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    /// The user key is that of the target, and the entry is old enough.
    At,
    After,
    /// It shares a part of the trailer of a key of another length.
    Unclear,
}

impl Side {
    fn order(self) -> EntryOrder {
        match self {
            Self::Before | Self::Unclear => EntryOrder::Before,
            Self::At => EntryOrder::Found,
            Self::After => EntryOrder::After,
        }
    }
}

/// The first entry of `block` at or after `target`, or `None`.
///
/// Cost: log₂ of the restart points, then at most one restart interval.
pub(crate) fn search<P: Probe>(
    block: &Block,
    target: &SplitKey<'_>,
    probe: &mut P,
) -> Result<Option<BlockPosition>, Damage> {
    // How many restart points come before the target.
    let (mut low, mut high) = (0, block.restart_count());
    probe.search(Among::Restarts, high);
    while low < high {
        let middle = low + (high - low) / 2;
        let key = block.restart_key(middle)?;
        let before = target.is_after(key);
        probe.compared(before, || (middle, ShownKey::new(user_key(key))));
        if before {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let Some(restart) = low.checked_sub(1) else {
        return first_of(block, 0, target, probe).map(Some);
    };
    let end = block.restart(low);
    let mut at = block.restart(restart);
    // Not returned by value: copying it from one place to another takes as long as comparing.
    let mut last = Last::default();
    for since_restart in 1.. {
        if at >= end {
            break;
        }
        if since_restart > RESTART_INTERVAL_MAX {
            return Err(Damage { at, what: "too many entries follow a restart point" });
        }
        let entry = checked_entry(block, at)?;
        let side = if since_restart == 1 {
            compare_first(block, &entry, &mut last, target)
        } else {
            probe.comparison();
            compare(block, at, &entry, &mut last, target)?
        };
        probe.entry(|| walked(block, at, &entry, side.order()));
        match side {
            Side::Before => at = entry.end,
            Side::At | Side::After => {
                return Ok(Some(BlockPosition {
                    at,
                    entry,
                    restart,
                    since_restart,
                    trailer: last.trailer,
                    same_user_key: side == Side::At,
                    shares_with_target: true,
                }));
            }
            Side::Unclear => return search_slowly(block, restart, target, probe),
        }
    }
    if end < block.entries_end() { first_of(block, low, target, probe).map(Some) } else { Ok(None) }
}

/// The entry at a restart point that is known not to come before the target.
fn first_of<P: Probe>(
    block: &Block,
    restart: usize,
    target: &SplitKey<'_>,
    probe: &mut P,
) -> Result<BlockPosition, Damage> {
    let at = block.restart(restart);
    let entry = checked_entry(block, at)?;
    if entry.shared != 0 {
        return Err(Damage { at, what: "an entry at a restart point shares a prefix" });
    }
    let key = block.slice(entry.suffix..entry.value);
    let (user_key, trailer) = split(key);
    let same_user_key = user_key == target.user_key;
    probe.entry(|| walked(block, at, &entry, at_or_after(same_user_key)));
    Ok(BlockPosition {
        at,
        entry,
        restart,
        since_restart: 1,
        trailer: u64::from_le_bytes(trailer),
        same_user_key,
        shares_with_target: true,
    })
}

/// An entry at or after the target: its newest version that is old enough, or another key.
fn at_or_after(same_user_key: bool) -> EntryOrder {
    if same_user_key { EntryOrder::Found } else { EntryOrder::After }
}

fn walked<'a>(block: &'a Block, offset: usize, entry: &Entry, order: EntryOrder) -> Walked<'a> {
    let suffix = block.slice(entry.suffix..entry.value);
    Walked { offset, shared: entry.shared, suffix, order }
}

/// The entry at `at`, whose key is as long as a key can be.
#[inline]
pub(super) fn checked_entry(block: &Block, at: usize) -> Result<Entry, Damage> {
    let entry = block.entry(at)?;
    let key_bytes = entry.shared + (entry.value - entry.suffix);
    if (TRAILER_BYTES..=KEY_BYTES_MAX + TRAILER_BYTES).contains(&key_bytes) {
        Ok(entry)
    } else {
        Err(Damage { at, what: "a key is too short or too long" })
    }
}

/// The first entry of an interval: it shares nothing.
fn compare_first(block: &Block, entry: &Entry, last: &mut Last, target: &SplitKey<'_>) -> Side {
    let (user_key, trailer) = split(block.slice(entry.suffix..entry.value));
    compare_rest(user_key, trailer, 0, last, target)
}

/// Compares an entry with the target; then it is the last.
#[inline]
fn compare(
    block: &Block,
    at: usize,
    entry: &Entry,
    last: &mut Last,
    target: &SplitKey<'_>,
) -> Result<Side, Damage> {
    let suffix = block.slice(entry.suffix..entry.value);
    if entry.shared > last.user_bytes + TRAILER_BYTES {
        return Err(Damage { at, what: "an entry shares more than the key before has" });
    }
    let user_bytes = (entry.shared + suffix.len()).saturating_sub(TRAILER_BYTES);
    if entry.shared > last.user_bytes.min(user_bytes) {
        return Ok(compare_versions(entry.shared, suffix, user_bytes, last, target));
    }
    // Both user keys have all shared bytes, and the suffix has the whole trailer.
    let (user_suffix, trailer) = split(suffix);
    if entry.shared > last.matched {
        (last.user_bytes, last.trailer) = (user_bytes, u64::from_le_bytes(trailer));
        return Ok(Side::Before);
    }
    Ok(compare_rest(user_suffix, trailer, entry.shared, last, target))
}

/// Compares the bytes after the first `shared`, which are those of the target.
#[inline]
fn compare_rest(
    user_suffix: &[u8],
    trailer: [u8; TRAILER_BYTES],
    shared: usize,
    last: &mut Last,
    target: &SplitKey<'_>,
) -> Side {
    let target_rest = target.user_key.get(shared..).unwrap_or_default();
    let common = shared_prefix(user_suffix, target_rest);
    let trailer = u64::from_le_bytes(trailer);
    *last = Last { user_bytes: shared + user_suffix.len(), trailer, matched: shared + common };
    let before = match (user_suffix.get(common), target_rest.get(common)) {
        (Some(byte), Some(target_byte)) => byte < target_byte,
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (None, None) if trailer > target.trailer => true,
        (None, None) => return Side::At,
    };
    if before { Side::Before } else { Side::After }
}

/// The entry shares a part of the trailer before it: it is an older version of the same user key,
/// unless the lengths differ.
#[inline(never)]
fn compare_versions(
    shared: usize,
    suffix: &[u8],
    user_bytes: usize,
    last: &mut Last,
    target: &SplitKey<'_>,
) -> Side {
    if user_bytes != last.user_bytes {
        return Side::Unclear;
    }
    let mut trailer = last.trailer.to_le_bytes();
    let own = trailer.iter_mut().skip(shared - user_bytes);
    own.zip(suffix).for_each(|(place, byte)| *place = *byte);
    last.trailer = u64::from_le_bytes(trailer);
    let same_user_key = last.matched == user_bytes && target.user_key.len() == user_bytes;
    if same_user_key && last.trailer <= target.trailer { Side::At } else { Side::Before }
}

/// The same search in one interval, putting every key together.
#[cold]
fn search_slowly<P: Probe>(
    block: &Block,
    restart: usize,
    target: &SplitKey<'_>,
    probe: &mut P,
) -> Result<Option<BlockPosition>, Damage> {
    let mut at = block.restart(restart);
    let mut key: Vec<u8> = Vec::new();
    let (mut restart, mut since_restart) = (restart, 0);
    while at < block.entries_end() {
        if at >= block.restart(restart + 1) {
            (restart, since_restart) = (restart + 1, 0);
        }
        since_restart += 1;
        if since_restart > RESTART_INTERVAL_MAX {
            return Err(Damage { at, what: "too many entries follow a restart point" });
        }
        let entry = checked_entry(block, at)?;
        if entry.shared > key.len() {
            return Err(Damage { at, what: "an entry shares more than the key before has" });
        }
        key.truncate(entry.shared);
        key.extend_from_slice(block.slice(entry.suffix..entry.value));
        probe.comparison();
        let before = target.is_after(&key);
        let (user_key, trailer) = split(&key);
        probe.entry(|| {
            let same = at_or_after(user_key == target.user_key);
            walked(block, at, &entry, if before { EntryOrder::Before } else { same })
        });
        if !before {
            return Ok(Some(BlockPosition {
                at,
                entry,
                restart,
                since_restart,
                trailer: u64::from_le_bytes(trailer),
                same_user_key: user_key == target.user_key,
                shares_with_target: false,
            }));
        }
        at = entry.end;
    }
    Ok(None)
}

/// User key and trailer of a key that is long enough to have both.
#[inline]
fn split(key: &[u8]) -> (&[u8], [u8; TRAILER_BYTES]) {
    key.split_last_chunk().map_or((key, [0; TRAILER_BYTES]), |(key, trailer)| (key, *trailer))
}
