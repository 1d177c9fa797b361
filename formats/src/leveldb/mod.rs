//! Writes directories that `LevelDB` opens.

mod builder;
mod crc;
mod directory_builder;
mod filter;
mod hash;
mod log;

pub use builder::TableStyle;
pub(crate) use crc::crc32c;
pub(crate) use directory_builder::DirectoryBuilder;
pub(crate) use hash::{FILTER_SEED, hash};

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::crc::masked;
    use super::filter::bloom;
    use super::{FILTER_SEED, crc32c, hash};
    use serde_json::Value;

    fn unhex(text: &Value) -> Vec<u8> {
        let digits = text.as_str().unwrap().as_bytes().chunks(2);
        let byte = |two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap();
        digits.map(byte).collect()
    }

    #[test]
    fn checksums_hashes_and_filters_are_those_of_the_library() {
        let vectors = include_str!("../../../tests/fixtures/formats/vectors.json");
        let vectors: Value = serde_json::from_str(vectors).unwrap();
        for vector in vectors["crc32c"].as_array().unwrap() {
            let crc = crc32c(&[&unhex(&vector["in"])]);
            assert_eq!(format!("{crc:08x}"), vector["crc"]);
            assert_eq!(format!("{:08x}", masked(crc)), vector["masked"]);
        }
        for vector in vectors["leveldb_hash_seed_bc9f1d34"].as_array().unwrap() {
            let hash = hash(&unhex(&vector["in"]), FILTER_SEED);
            assert_eq!(format!("{hash:08x}"), vector["hash"]);
        }
        for vector in vectors["bloom_10_bits"].as_array().unwrap() {
            let keys: Vec<Vec<u8>> = vector["keys"].as_array().unwrap().iter().map(unhex).collect();
            let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
            assert_eq!(bloom(&keys, 10), unhex(&vector["filter"]));
        }
    }
}
