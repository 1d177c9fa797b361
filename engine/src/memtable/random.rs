//! The randomness of tests: a small generator, the same on every machine for the same seed.

/// `SplitMix64`: one addition and a few multiplications a number; not for secrets.
#[derive(Debug, Clone)]
pub(crate) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator whose sequence is decided by `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
impl SplitMix64 {
    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next_u64() % (limit.max(1) as u64)).unwrap()
    }

    /// True once in `count` times.
    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Runs `test` with `count` seeds, or with the one in `LEVELSCOPE_SEED`; a failure prints its seed.
#[cfg(test)]
pub(crate) fn for_seeds(count: u64, test: impl Fn(u64)) {
    let given = std::env::var("LEVELSCOPE_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let seeds = given.map_or(0..count, |seed| seed..seed + 1);
    for seed in seeds {
        println!("LEVELSCOPE_SEED={seed}");
        test(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_never_changes() {
        let mut random = SplitMix64::new(0);
        let first = [random.next_u64(), random.next_u64(), random.next_u64()];
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }
}
