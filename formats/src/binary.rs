//! The one binary search of all formats.

use levelscope::Result;
use levelscope::event::ShownKey;
use levelscope::internals::probe::{Among, Probe};

/// The first of `count` places whose key does not come `before`; `count` when all do.
pub(super) fn halve<'c, P: Probe>(
    among: Among,
    count: usize,
    mut key_at: impl FnMut(usize) -> Result<&'c [u8]>,
    before: impl Fn(&[u8]) -> bool,
    probe: &mut P,
) -> Result<usize> {
    probe.search(among, count);
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        let key = key_at(middle)?;
        let is_before = before(key);
        probe.compared(is_before, || (middle, ShownKey::new(key)));
        if is_before {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}
