//! Entries with an end: a compaction filter that removes expired entries, and the same rule for reads.

use crate::Result;
use crate::compaction::{CompactionFilter, FilterDecision, FilterEntry};
use crate::iter::{Entries, Entry, PinnedValue};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of an expiry at the end of a value.
const EXPIRY_BYTES: usize = 8;

/// When the entry of a key and a value expires; `None`: never.
type ExpiresAt = dyn Fn(&[u8], &[u8]) -> Option<u64> + Send + Sync;

/// Expiry of entries (time to live): compactions remove expired entries.
///
/// The engine has no clock. The program sets the time with [`Ttl::advance_to`], as a number in a unit of its choice,
/// and gives the rule that finds the expiry in a key or a value. An entry has expired when its expiry is not greater
/// than the time.
///
/// Compactions remove expired entries sooner or later (see [`CompactionFilter`]). Until then other reads still find
/// them. [`Ttl::unexpired`] and [`Ttl::live`] hide them at once: an entry that has expired is never seen through these
/// two, whether it has been removed or not. They compare with the time at the call, so a snapshot read through them
/// gets smaller as time passes. [`crate::Db::update`], `compare_and_set`, `contains_key` and `multi_get` ignore expiry.
///
/// ```
/// use levelscope::storage::MemoryStorage;
/// use levelscope::{Db, Ttl};
/// use std::sync::Arc;
///
/// // Values end in their expiry, in seconds.
/// let ttl = Arc::new(Ttl::new(|_key, stored| Some(Ttl::split_expiry(stored)?.1)));
/// let db = Db::builder()
///     .compaction_filter(ttl.clone())
///     .open_in(Arc::new(MemoryStorage::default()))?;
/// ttl.advance_to(1_000);
/// db.put("session/ada", Ttl::with_expiry("logged in", 1_000 + 60))?;
/// assert!(ttl.unexpired("session/ada", db.get("session/ada")?).is_some());
///
/// ttl.advance_to(1_060);
/// assert!(ttl.unexpired("session/ada", db.get("session/ada")?).is_none());
/// assert_eq!(ttl.live(db.prefix("session/")?).count(), 0);
/// assert!(db.contains_key("session/ada")?); // no compaction yet
/// db.compact(..)?;
/// assert!(!db.contains_key("session/ada")?);
/// # Ok::<(), levelscope::Error>(())
/// ```
pub struct Ttl {
    now: AtomicU64,
    expires_at: Box<ExpiresAt>,
}

impl Ttl {
    /// An entry expires at the time that `expires_at` returns for its key and value; `None`: never. The time is 0 at
    /// first.
    ///
    /// The rule is called in compactions and reads, also by several threads at once. It must keep to the
    /// rules of [`CompactionFilter`].
    pub fn new(expires_at: impl Fn(&[u8], &[u8]) -> Option<u64> + Send + Sync + 'static) -> Self {
        Self { now: AtomicU64::new(0), expires_at: Box::new(expires_at) }
    }

    /// It is now `now`. A time before the present one changes nothing: an entry that has expired stays so.
    pub fn advance_to(&self, now: u64) {
        self.now.fetch_max(now, Ordering::Relaxed);
    }

    /// The time that the program has set.
    pub fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }

    /// Whether the entry of `key` and `value` has expired.
    pub fn is_expired(&self, key: &[u8], value: &[u8]) -> bool {
        (self.expires_at)(key, value).is_some_and(|expiry| expiry <= self.now())
    }

    /// `value`, which was read for `key`, unless it has expired: `ttl.unexpired(key, db.get(key)?)`.
    pub fn unexpired(
        &self,
        key: impl AsRef<[u8]>,
        value: Option<PinnedValue>,
    ) -> Option<PinnedValue> {
        value.filter(|value| !self.is_expired(key.as_ref(), value))
    }

    /// `entries` without those that have expired: `ttl.live(db.range("a".."b")?)`, from both ends.
    pub fn live(&self, entries: Entries) -> impl DoubleEndedIterator<Item = Result<Entry>> {
        entries.filter(|entry| match entry {
            Ok((key, value)) => !self.is_expired(key, value),
            Err(_) => true,
        })
    }

    /// `value` with its expiry after it, as eight bytes, the lowest first.
    pub fn with_expiry(value: impl AsRef<[u8]>, expires_at: u64) -> Vec<u8> {
        [value.as_ref(), &expires_at.to_le_bytes()].concat()
    }

    /// Value and expiry of a value made by [`Self::with_expiry`]; `None` for fewer than eight bytes.
    pub fn split_expiry(stored: &[u8]) -> Option<(&[u8], u64)> {
        let (value, expiry) = stored.split_last_chunk::<EXPIRY_BYTES>()?;
        Some((value, u64::from_le_bytes(*expiry)))
    }
}

impl CompactionFilter for Ttl {
    fn decide(&self, entry: &FilterEntry<'_>) -> FilterDecision {
        if self.is_expired(entry.key, entry.value) {
            FilterDecision::Remove
        } else {
            FilterDecision::Keep
        }
    }
}

impl fmt::Debug for Ttl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ttl").field("now", &self.now).finish_non_exhaustive()
    }
}
