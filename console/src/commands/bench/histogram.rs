//! Latencies of single operations: counts between 1, 2, 5, 10, 20, 50 … microseconds.

/// Ranges: below 1 µs, then three a decade up to 50 s and more.
const RANGES: usize = 25;

/// Operations by how long they took.
#[derive(Debug, Clone, Default)]
pub(super) struct Histogram {
    counts: [u64; RANGES],
    total: u64,
    nanos: u64,
    longest: u64,
}

/// One range that has operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    /// From this \[microseconds\].
    pub(super) from: u64,
    /// To below this \[microseconds\]; `None`: everything longer.
    pub(super) to: Option<u64>,
    /// Operations.
    pub(super) count: u64,
}

impl Histogram {
    /// Adds an operation.
    pub(super) fn add(&mut self, nanos: u64) {
        let micros = nanos / 1000;
        let range = (0..RANGES - 1).find(|range| micros < limit(*range)).unwrap_or(RANGES - 1);
        if let Some(count) = self.counts.get_mut(range) {
            *count += 1;
        }
        self.total += 1;
        self.nanos = self.nanos.saturating_add(nanos);
        self.longest = self.longest.max(nanos);
    }

    /// Adds all operations of another one.
    pub(super) fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.total += other.total;
        self.nanos = self.nanos.saturating_add(other.nanos);
        self.longest = self.longest.max(other.longest);
    }

    /// Operations.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Mean \[nanoseconds\].
    pub(super) fn mean_nanos(&self) -> u64 {
        self.nanos.checked_div(self.total).unwrap_or(0)
    }

    /// The longest \[nanoseconds\].
    pub(super) fn longest_nanos(&self) -> u64 {
        self.longest
    }

    /// Ranges from the first to the last that has operations.
    pub(super) fn ranges(&self) -> Vec<Range> {
        let used = |count: &u64| *count > 0;
        let first = self.counts.iter().position(used).unwrap_or(0);
        let last = self.counts.iter().rposition(used).unwrap_or(0);
        let all = self.counts.iter().enumerate().skip(first).take(last + 1 - first);
        all.map(|(range, count)| Range {
            from: range.checked_sub(1).map_or(0, limit),
            to: (range < RANGES - 1).then(|| limit(range)),
            count: *count,
        })
        .collect()
    }
}

/// Where `range` ends \[microseconds\]: 1, 2, 5, 10, …
fn limit(range: usize) -> u64 {
    let decade = 10u64.saturating_pow(u32::try_from(range / 3).unwrap_or(u32::MAX));
    decade.saturating_mul(match range % 3 {
        0 => 1,
        1 => 2,
        _ => 5,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_fall_into_their_range() {
        let mut histogram = Histogram::default();
        for nanos in [0, 999, 1000, 1999, 2000, 49_999, 50_000, u64::MAX] {
            histogram.add(nanos);
        }
        let ranges = histogram.ranges();
        assert_eq!(ranges[0], Range { from: 0, to: Some(1), count: 2 });
        assert_eq!(ranges[1], Range { from: 1, to: Some(2), count: 2 });
        assert_eq!(ranges[2], Range { from: 2, to: Some(5), count: 1 });
        assert_eq!(ranges[5], Range { from: 20, to: Some(50), count: 1 });
        assert_eq!(ranges.last().map(|range| (range.to, range.count)), Some((None, 1)));
        assert_eq!(ranges.iter().map(|range| range.count).sum::<u64>(), histogram.total());
    }
}
