//! Time of single operations: one clock reading an operation, counted in buckets.

use std::time::Instant;

/// Sixteen buckets for each power of two: a percentile is right to 6 %.
const FINE_BITS: u32 = 4;

/// Latencies \[nanoseconds\] in buckets.
#[derive(Debug)]
pub struct Latencies {
    counts: Vec<u64>,
    total: u64,
    last: Instant,
}

impl Latencies {
    /// Begins now.
    pub fn start() -> Self {
        Self { counts: vec![0; 64 << FINE_BITS], total: 0, last: Instant::now() }
    }

    /// Counts the operations of `other` too.
    pub fn add(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.total += other.total;
    }

    /// One operation ended now; the next one begins.
    pub fn lap(&mut self) {
        let now = Instant::now();
        let nanos = now.duration_since(self.last).as_nanos() as u64;
        self.last = now;
        self.counts[bucket(nanos)] += 1;
        self.total += 1;
    }

    /// The 50th, 99th and 99.9th percentile \[microseconds\]; `None` when no operation was timed alone.
    pub fn percentiles(&self) -> Option<[f64; 3]> {
        (self.total > 0).then(|| [0.5, 0.99, 0.999].map(|share| self.percentile(share)))
    }

    /// The time below which `share` of the operations stayed \[microseconds\].
    fn percentile(&self, share: f64) -> f64 {
        let wanted = (self.total as f64 * share).ceil() as u64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted.max(1) {
                return upper(index) / 1000.0;
            }
        }
        0.0
    }
}

fn bucket(nanos: u64) -> usize {
    let small = 1 << (FINE_BITS + 1);
    if nanos < small {
        return nanos as usize;
    }
    let power = nanos.ilog2();
    let fine = (nanos >> (power - FINE_BITS)) & ((1 << FINE_BITS) - 1);
    (((power - FINE_BITS + 1) as usize) << FINE_BITS) + fine as usize
}

/// The largest time that falls into the bucket.
fn upper(index: usize) -> f64 {
    let (group, fine) = (index >> FINE_BITS, index & ((1 << FINE_BITS) - 1));
    if group < 2 {
        return index as f64;
    }
    let width = 2f64.powi(group as i32 - 1);
    ((1 << FINE_BITS) as f64 + fine as f64 + 1.0) * width - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_its_times_to_six_percent() {
        for nanos in (0..5000).chain([66_000, 1_000_000, 123_456_789]) {
            let top = upper(bucket(nanos));
            assert!(top >= nanos as f64, "{nanos} is above its bucket's {top}");
            assert!(top <= nanos as f64 * 1.0625 + 1.0, "{nanos} is far below {top}");
        }
    }
}
