//! Every format as one decoder: on any bytes it returns a value or an error.

use crate::{Entry, FORMATS, Trail};
use levelscope::inspect::Scope;
use levelscope::testing::decode::Decoder;

/// The files of other programs and the engine's, as a decoder beside [`levelscope::testing::decode::DECODERS`].
pub const DECODER: Decoder = Decoder { name: "formats", run: formats };

/// The files of other programs: as each of their formats.
fn formats(bytes: &[u8]) {
    for format in FORMATS {
        format.recognize("000007.sst", bytes);
        let _ = format.annotate("file", bytes, Scope::ALL);
        let items = format.scan(bytes).count();
        assert!(items <= bytes.len() * 2 + 1, "more items than a file can have");
        for search in format.info().searches {
            for key in [&b""[..], b"key010", b"\xff\xff"] {
                let found = format.get(bytes, key, *search);
                assert!(found == format.explain(bytes, key, *search, &mut Trail::default()));
            }
        }
    }
}

/// A small file of each format that can be written.
pub fn small_files() -> Vec<Vec<u8>> {
    let keys: Vec<String> = (0..20).map(|number| format!("key{number:03}")).collect();
    let entry = |key| Entry::new(str::as_bytes(key), Some(&b"some value"[..]));
    let mut entries: Vec<_> = keys.iter().map(|key| entry(key)).collect();
    if let Some(entry) = entries.get_mut(7) {
        entry.value = None;
    }
    FORMATS.iter().filter_map(|format| format.write(&entries).ok()).collect()
}
