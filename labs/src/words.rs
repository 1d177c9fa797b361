//! Writes of well-known words for `fill --words`: new keys, overwrites and deletes in stated shares.

use crate::generate::Random;

/// Fruit, vegetables, animals and cities: every word once, short enough for a projector.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "apple", "apricot", "avocado", "banana", "cherry", "coconut", "currant", "date", "fig", "grape", "guava",
    "kiwi", "lemon", "lime", "lychee", "mango", "melon", "olive", "orange", "papaya", "peach", "pear", "plum",
    "pomelo", "quince", "raisin", "satsuma", "tamarind",
    "bean", "beet", "broccoli", "cabbage", "carrot", "celery", "chard", "corn", "cress", "cucumber", "endive",
    "fennel", "garlic", "ginger", "kale", "leek", "lentil", "lettuce", "onion", "parsley", "parsnip", "pea",
    "pepper", "potato", "pumpkin", "radish", "rhubarb", "rice", "rocket", "sage", "shallot", "sorrel", "spinach",
    "sprout", "squash", "thyme", "tomato", "turnip", "yam",
    "ant", "badger", "bat", "bear", "beaver", "bee", "bison", "boar", "buffalo", "camel", "cat", "cheetah",
    "chicken", "cobra", "cow", "crab", "crane", "crow", "deer", "dog", "dolphin", "donkey", "dove", "duck",
    "eagle", "eel", "elephant", "elk", "falcon", "ferret", "finch", "flamingo", "fox", "frog", "gazelle", "gecko",
    "giraffe", "goat", "goose", "gorilla", "hamster", "hare", "hawk", "hedgehog", "hen", "heron", "hippo", "horse",
    "hyena", "ibis", "iguana", "jackal", "jaguar", "kangaroo", "koala", "lemur", "leopard", "lion", "lizard",
    "llama", "lobster", "lynx", "magpie", "mole", "monkey", "moose", "moth", "mouse", "mule", "newt", "ocelot",
    "octopus", "orca", "ostrich", "otter", "owl", "ox", "oyster", "panda", "panther", "parrot", "peacock",
    "pelican", "penguin", "pig", "pigeon", "pony", "puma", "quail", "rabbit", "raccoon", "rat", "raven",
    "reindeer", "rhino", "robin", "rooster", "salmon", "seal", "shark", "sheep", "shrimp", "skunk", "sloth",
    "snail", "snake", "sparrow", "spider", "squid", "squirrel", "stork", "swan", "tiger", "toad", "trout", "tuna",
    "turkey", "turtle", "viper", "vulture", "walrus", "wasp", "weasel", "whale", "wolf", "wombat", "wren", "yak",
    "zebra",
    "accra", "ankara", "athens", "baghdad", "baku", "bangkok", "beirut", "belfast", "belgrade", "berlin", "bern",
    "bogota", "boston", "brussels", "budapest", "cairo", "calgary", "canberra", "caracas", "chicago", "cologne",
    "dakar", "dallas", "damascus", "delhi", "denver", "dhaka", "doha", "dubai", "dublin", "florence", "geneva",
    "genoa", "glasgow", "hamburg", "hanoi", "havana", "helsinki", "houston", "istanbul", "jakarta", "kabul",
    "kampala", "karachi", "krakow", "kyiv", "lagos", "lahore", "leeds", "leipzig", "lima", "lisbon", "london",
    "luanda", "lyon", "madrid", "malaga", "manila", "miami", "milan", "minsk", "montreal", "moscow", "mumbai",
    "munich", "nairobi", "naples", "oslo", "ottawa", "oxford", "palermo", "paris", "perth", "porto", "prague",
    "pretoria", "quebec", "quito", "riga", "rome", "salzburg", "santiago", "sarajevo", "seattle", "seoul",
    "seville", "shanghai", "sofia", "sydney", "taipei", "tallinn", "tbilisi", "tehran", "tirana", "tokyo",
    "toronto", "tripoli", "tunis", "turin", "utrecht", "valencia", "venice", "vienna", "vilnius", "warsaw",
    "york", "zagreb", "zurich",
];

/// Colours.
#[rustfmt::skip]
const VALUES: &[&str] = &[
    "amber", "aqua", "azure", "beige", "black", "blue", "bronze", "brown", "coral", "cream", "crimson", "cyan",
    "gold", "green", "grey", "indigo", "ivory", "jade", "khaki", "lilac", "magenta", "maroon", "mauve", "navy",
    "ochre", "pink", "purple", "red", "rose", "ruby", "rust", "sand", "scarlet", "silver", "tan", "teal", "violet",
    "white", "yellow",
];

/// Keys from which overwrites and deletes choose; a longer fill forgets some of its keys, so that its memory is bounded.
const CHOICE_MAX: usize = 1 << 16;

/// Which share of the writes overwrites or deletes a key that the same fill has written \[percent\].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    overwrites: u8,
    deletes: u8,
}

impl Shares {
    /// `None` when the shares leave fewer new keys than they delete.
    pub fn new(overwrites: u64, deletes: u64) -> Option<Self> {
        let (overwrites, deletes) = (u8::try_from(overwrites).ok()?, u8::try_from(deletes).ok()?);
        let taken = u32::from(overwrites) + 2 * u32::from(deletes);
        (taken <= 100).then_some(Self { overwrites, deletes })
    }

    /// Puts of a key that has a value \[percent\].
    pub fn overwrites(self) -> u64 {
        self.overwrites.into()
    }

    /// Deletes of a key that has a value \[percent\].
    pub fn deletes(self) -> u64 {
        self.deletes.into()
    }

    /// Enough for shadowed versions and tombstones in the first compaction of the preset classroom.
    pub const DEFAULT: Self = Self { overwrites: 20, deletes: 10 };
}

/// One generated write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// Puts a key that the fill has not written before.
    New(Vec<u8>, Vec<u8>),
    /// Puts a key that has a value from the same fill.
    Overwrite(Vec<u8>, Vec<u8>),
    /// Deletes a key that has a value from the same fill.
    Delete(Vec<u8>),
}

/// Writes of words, the same for the same count, seed and shares.
///
/// The writes that overwrite and delete are spread evenly: the share holds in every stretch of a fill.
#[derive(Debug, Clone)]
pub struct Words {
    random: Random,
    shares: Shares,
    /// The due part of each share, in hundredths of a write.
    overwrites_due: u32,
    deletes_due: u32,
    /// [`KEYS`] in the order of the seed.
    order: Vec<&'static str>,
    /// Digits of the number in a key, so that `apple-02` sorts before `apple-10`.
    digits: usize,
    /// New keys so far.
    made: u64,
    /// New keys that have a value, by their number.
    live: Vec<u64>,
}

impl Words {
    /// `count` writes; when they need more keys than there are words, the further keys are numbered.
    pub fn new(count: u64, seed: u64, shares: Shares) -> Self {
        let mut random = Random::new(seed);
        let mut order = KEYS.to_vec();
        for end in (1..order.len()).rev() {
            order.swap(end, random.below(end + 1));
        }
        let rounds = count.div_ceil(order.len() as u64);
        let digits = rounds.to_string().len();
        let (live, made) = (Vec::new(), 0);
        Self { random, shares, overwrites_due: 0, deletes_due: 0, order, digits, made, live }
    }

    /// The next write.
    pub fn write(&mut self) -> Write {
        self.overwrites_due += u32::from(self.shares.overwrites);
        self.deletes_due += u32::from(self.shares.deletes);
        if self.live.is_empty() {
            return self.new_key();
        }
        let at = self.random.below(self.live.len());
        if self.deletes_due >= 100 {
            self.deletes_due -= 100;
            let number = self.live.swap_remove(at);
            return Write::Delete(self.key(number));
        }
        if self.overwrites_due >= 100 {
            self.overwrites_due -= 100;
            let number = self.live.get(at).copied().unwrap_or(0);
            return Write::Overwrite(self.key(number), self.value());
        }
        self.new_key()
    }

    fn new_key(&mut self) -> Write {
        let number = self.made;
        self.made += 1;
        if self.live.len() < CHOICE_MAX {
            self.live.push(number);
        } else {
            let at = self.random.below(CHOICE_MAX);
            if let Some(forgotten) = self.live.get_mut(at) {
                *forgotten = number;
            }
        }
        Write::New(self.key(number), self.value())
    }

    fn key(&self, number: u64) -> Vec<u8> {
        let words = self.order.len().max(1) as u64;
        let at = usize::try_from(number % words).unwrap_or(0);
        let word = self.order.get(at).copied().unwrap_or("apple");
        match number / words {
            0 => word.as_bytes().to_vec(),
            round => format!("{word}-{:0digits$}", round + 1, digits = self.digits).into_bytes(),
        }
    }

    fn value(&mut self) -> Vec<u8> {
        let at = self.random.below(VALUES.len());
        VALUES.get(at).copied().unwrap_or("red").as_bytes().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn writes(count: u64, seed: u64, overwrites: u64, deletes: u64) -> Vec<Write> {
        let shares = Shares::new(overwrites, deletes).expect("the shares are possible");
        let mut words = Words::new(count, seed, shares);
        (0..count).map(|_| words.write()).collect()
    }

    #[test]
    fn words_are_short_and_each_is_there_once() {
        for list in [KEYS, VALUES] {
            let unique: BTreeSet<&str> = list.iter().copied().collect();
            assert_eq!(unique.len(), list.len());
            assert!(list.iter().all(|word| (2..=8).contains(&word.len())), "{list:?}");
            assert!(list.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
        }
        assert!(KEYS.len() > 300, "{}", KEYS.len());
    }

    #[test]
    fn writes_repeat_with_the_seed() {
        assert_eq!(writes(700, 7, 20, 10), writes(700, 7, 20, 10));
        assert_ne!(writes(700, 7, 20, 10), writes(700, 8, 20, 10));
    }

    #[test]
    fn shares_are_exact_and_deletes_find_a_value() {
        for (overwrites, deletes) in [(20, 10), (0, 0), (100, 0), (0, 50), (60, 20), (1, 1)] {
            let mut model = BTreeMap::new();
            let mut counts = [0_u64; 3];
            for write in writes(2000, 3, overwrites, deletes) {
                match write {
                    Write::New(key, value) => {
                        counts[0] += 1;
                        assert_eq!(model.insert(key, value), None);
                    }
                    Write::Overwrite(key, value) => {
                        counts[1] += 1;
                        assert!(model.insert(key, value).is_some());
                    }
                    Write::Delete(key) => {
                        counts[2] += 1;
                        assert!(model.remove(&key).is_some());
                    }
                }
            }
            let near = |count: u64, share: u64| count.abs_diff(20 * share) <= 1;
            assert!(near(counts[1], overwrites), "{overwrites} {deletes}: {counts:?}");
            assert!(near(counts[2], deletes), "{overwrites} {deletes}: {counts:?}");
        }
    }

    #[test]
    fn shares_that_delete_more_than_they_add_are_refused() {
        assert_eq!(Shares::new(60, 21), None);
        assert_eq!(Shares::new(0, 51), None);
        assert_eq!(Shares::new(300, 0), None);
        assert!(Shares::new(0, 50).is_some() && Shares::new(100, 0).is_some());
    }

    #[test]
    fn further_keys_are_numbered_and_sort_by_their_numbers() {
        let keys: BTreeSet<Vec<u8>> = writes(20_000, 5, 0, 0)
            .into_iter()
            .filter_map(|write| if let Write::New(key, _) = write { Some(key) } else { None })
            .collect();
        assert_eq!(keys.len(), 20_000);
        let apples: Vec<_> = keys
            .iter()
            .map(|key| String::from_utf8_lossy(key))
            .filter(|key| key.starts_with("apple"))
            .collect();
        assert_eq!(apples[..4], ["apple", "apple-02", "apple-03", "apple-04"]);
        let few = writes(400, 5, 0, 0);
        assert!(
            few.iter().any(|write| matches!(write, Write::New(key, _) if key.ends_with(b"-2")))
        );
    }
}
