//! Keys and values for `fill` and experiments: the same for the same seed on every machine.

/// Words of the old printers' dummy text, after Cicero.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a", "ab", "accusamus", "accusantium", "ad", "adipisci", "alias", "aliquam", "aliquid",
    "amet", "animi", "aperiam", "architecto", "asperiores", "aspernatur", "assumenda", "at",
    "atque", "aut", "autem", "beatae", "blanditiis", "commodi", "consectetur", "consequatur",
    "consequuntur", "corporis", "corrupti", "culpa", "cum", "cumque", "cupiditate", "debitis",
    "delectus", "deleniti", "deserunt", "dicta", "dignissimos", "distinctio", "dolor", "dolore",
    "dolorem", "doloremque", "dolores", "doloribus", "dolorum", "ducimus", "ea", "eaque",
    "earum", "eius", "eligendi", "enim", "eos", "error", "esse", "est", "et", "eum", "eveniet",
    "ex", "excepturi", "exercitationem", "expedita", "explicabo", "facere", "facilis", "fuga",
    "fugiat", "fugit", "harum", "hic", "id", "illo", "illum", "impedit", "in", "incidunt",
    "inventore", "ipsa", "ipsam", "ipsum", "iste", "itaque", "iure", "iusto", "labore",
    "laboriosam", "laborum", "laudantium", "libero", "magnam", "magni", "maiores", "maxime",
    "minima", "minus", "modi", "molestiae", "molestias", "mollitia", "nam", "natus",
    "necessitatibus", "nemo", "neque", "nesciunt", "nihil", "nisi", "nobis", "non", "nostrum",
    "nulla", "numquam", "obcaecati", "odio", "odit", "officia", "officiis", "omnis", "optio",
    "pariatur", "perferendis", "perspiciatis", "placeat", "porro", "possimus", "praesentium",
    "provident", "quae", "quaerat", "quam", "quas", "quasi", "qui", "quia", "quibusdam",
    "quidem", "quis", "quisquam", "quo", "quod", "quos", "ratione", "recusandae", "reiciendis",
    "rem", "repellat", "repellendus", "reprehenderit", "repudiandae", "rerum", "saepe",
    "sapiente", "sed", "sequi", "similique", "sint", "sit", "soluta", "sunt", "suscipit",
    "tempora", "tempore", "temporibus", "tenetur", "totam", "ullam", "unde", "ut", "vel",
    "velit", "veniam", "veritatis", "vero", "vitae", "voluptas", "voluptate", "voluptatem",
    "voluptates", "voluptatibus", "voluptatum",
];

/// Words that the text has more often than once, and how many times more.
#[rustfmt::skip]
const REPEATED: &[(&str, usize)] = &[
    ("et", 10), ("aut", 5), ("qui", 5), ("ut", 5), ("est", 4), ("voluptatem", 3), ("quia", 3), ("consequatur", 2),
    ("sit", 2), ("sed", 2), ("non", 2), ("voluptas", 2), ("omnis", 2), ("rerum", 2), ("sunt", 1), ("dolores", 1),
    ("eos", 1), ("dolorem", 1), ("dolor", 1), ("velit", 1), ("enim", 1), ("quis", 1), ("ea", 1), ("autem", 1),
    ("vel", 1), ("eum", 1), ("in", 1), ("nihil", 1), ("molestiae", 1), ("sint", 1), ("id", 1), ("quo", 1),
];

/// Words of the whole text.
const TEXT_WORDS: usize = 249;

/// A small generator of random numbers (`SplitMix64`): one addition and one mix a number.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Draws that begin with `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next draw, of all 64 bits.
    #[expect(clippy::should_implement_trait, reason = "it never ends, so it is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        usize::try_from(self.next() % limit).unwrap_or(0)
    }

    /// A word as often as the text has it.
    fn text_word(&mut self) -> &'static str {
        let drawn = self.below(TEXT_WORDS);
        let Some(mut left) = drawn.checked_sub(WORDS.len()) else {
            return WORDS.get(drawn).copied().unwrap_or("lorem");
        };
        let repeated = REPEATED.iter().find(|(_, more)| {
            let found = left < *more;
            left = left.saturating_sub(*more);
            found
        });
        repeated.map_or("lorem", |(word, _)| word)
    }
}

fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Pairs of a key and a value.
#[derive(Debug, Clone)]
pub enum Pairs {
    /// Two words of the old printers' text for a key, two for a value, each as often as the text has it.
    Text(Random),
    /// Decimal keys and random values.
    Keys {
        /// First key.
        start: u64,
        /// In which order the keys come.
        order: Order,
        /// Length of each value \[bytes\].
        value_bytes: usize,
        /// Of the values.
        random: Random,
    },
}

/// In which order generated keys come.
#[derive(Debug, Clone)]
pub enum Order {
    /// Ascending.
    Sequential,
    /// Shuffled: every key once.
    Random(Shuffle),
}

impl Pairs {
    /// The pair at `position`; call it with 0, 1, 2, ... because values come from one stream.
    pub fn pair(&mut self, position: u64) -> (Vec<u8>, Vec<u8>) {
        match self {
            Self::Text(random) => {
                let mut two = || [random.text_word(), random.text_word()].concat().into_bytes();
                (two(), two())
            }
            Self::Keys { start, order, value_bytes, random } => {
                let offset = match order {
                    Order::Sequential => position,
                    Order::Random(shuffle) => shuffle.at(position),
                };
                let key = format!("{:016}", start.saturating_add(offset)).into_bytes();
                let letters = b"abcdefghijklmnopqrstuvwxyz0123456789";
                let letter = |_| letters.get(random.below(letters.len())).copied().unwrap_or(b'x');
                (key, (0..*value_bytes).map(letter).collect())
            }
        }
    }
}

/// A permutation of `0..count` that needs no memory: four Feistel rounds, walked until inside.
#[derive(Debug, Clone)]
pub struct Shuffle {
    count: u64,
    half_bits: u32,
    seed: u64,
}

impl Shuffle {
    /// An order of 0 to `count`, not included.
    pub fn new(count: u64, seed: u64) -> Self {
        let bits = 64 - count.saturating_sub(1).leading_zeros();
        Self { count, half_bits: bits.div_ceil(2).max(1), seed: mix(seed) }
    }

    /// The number at `position`.
    pub fn at(&self, position: u64) -> u64 {
        // A permutation of a domain at most four times as large: a few walks find the way back in.
        let mut number = position;
        loop {
            number = self.permute(number);
            if number < self.count || position >= self.count {
                return number;
            }
        }
    }

    fn permute(&self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = ((number >> self.half_bits) & mask, number & mask);
        for round in 0..4 {
            let mixed = mix(right ^ self.seed.wrapping_add(round)) & mask;
            (left, right) = (right, left ^ mixed);
        }
        (left << self.half_bits) | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_shuffle_is_a_permutation() {
        for count in [1, 2, 3, 7, 64, 65, 1000] {
            let shuffle = Shuffle::new(count, 7);
            let seen: BTreeSet<u64> = (0..count).map(|position| shuffle.at(position)).collect();
            assert_eq!(seen, (0..count).collect(), "{count}");
        }
        assert_ne!(
            (0..64).map(|p| Shuffle::new(64, 1).at(p)).collect::<Vec<_>>(),
            (0..64).collect::<Vec<_>>()
        );
    }

    #[test]
    fn pairs_repeat_with_the_seed() {
        let pairs = |seed| {
            let mut pairs = Pairs::Text(Random::new(seed));
            (0..700).map(|position| pairs.pair(position)).collect::<Vec<_>>()
        };
        assert_eq!(pairs(7), pairs(7));
        assert_ne!(pairs(7), pairs(8));
        let bytes: usize = pairs(7).iter().map(|(key, value)| key.len() + value.len()).sum();
        assert!((21..28).contains(&(bytes / 700)), "{} bytes a pair", bytes / 700);
        let longest = WORDS.iter().map(|word| word.len()).max();
        assert_eq!(longest, Some(14));
    }

    #[test]
    fn words_of_the_text_come_as_often_as_there() {
        let more: usize = REPEATED.iter().map(|(_, more)| more).sum();
        assert_eq!(WORDS.len() + more, TEXT_WORDS);
        assert!(REPEATED.iter().all(|(word, _)| WORDS.contains(word)));
        let mut random = Random::new(3);
        let drawn: Vec<_> = (0..24_900).map(|_| random.text_word()).collect();
        let count = |word| drawn.iter().filter(|drawn| **drawn == word).count();
        assert!((950..1250).contains(&count("et")), "{}", count("et"));
        assert!((60..140).contains(&count("repellat")), "{}", count("repellat"));
        assert_eq!(count("lorem"), 0);
    }

    #[test]
    fn decimal_keys() {
        let random = Random::new(1);
        let mut pairs = Pairs::Keys { start: 5, order: Order::Sequential, value_bytes: 3, random };
        let (key, value) = pairs.pair(2);
        assert_eq!(key, b"0000000000000007");
        assert_eq!(value.len(), 3);
    }
}
