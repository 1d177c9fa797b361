//! The figures in `OpenMetrics` text, read by the rules of that format.

use crate::common::*;
use levelscope::Maintenance;
use levelscope::storage::{MemoryStorage, Storage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One family: its kind, its unit, whether it has a help text, and its samples by name and labels.
#[derive(Debug, Default)]
struct Family {
    kind: String,
    unit: Option<String>,
    help: bool,
    samples: BTreeMap<String, f64>,
}

fn is_name(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_' || c == ':';
    name.starts_with(first) && name.chars().all(|c| first(c) || c.is_ascii_digit())
}

/// Labels between braces: `name="value"`, separated by commas, without an unescaped quote in a value.
fn are_labels(labels: &str) -> bool {
    labels.split(',').all(|label| {
        let parts = label.split_once('=');
        parts.is_some_and(|(name, value)| {
            let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            is_name(name) && inner.is_some_and(|inner| !inner.contains(['"', '\\', '\n']))
        })
    })
}

/// Reads an exposition, and fails the test where it breaks a rule.
fn parse(text: &str) -> BTreeMap<String, Family> {
    let body = text.strip_suffix("# EOF\n").expect("it ends with EOF");
    assert!(!body.contains("# EOF") && body.ends_with('\n') && !body.contains('\r'), "{text}");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let mut current = String::new();
    for line in body.lines() {
        if let Some(metadata) = line.strip_prefix("# ") {
            let mut words = metadata.splitn(3, ' ');
            let (what, name) = (words.next().unwrap(), words.next().expect("a name"));
            let rest = words.next().expect("three parts");
            assert!(is_name(name) && name.starts_with("levelscope_"), "{line}");
            if current != name {
                assert!(!families.contains_key(name), "the family is in two places: {line}");
                name.clone_into(&mut current);
            }
            let family = families.entry(name.to_owned()).or_default();
            assert!(family.samples.is_empty(), "metadata after samples: {line}");
            match what {
                "TYPE" => {
                    assert!(family.kind.is_empty() && ["counter", "gauge"].contains(&rest));
                    rest.clone_into(&mut family.kind);
                }
                "UNIT" => {
                    assert!(name.ends_with(&format!("_{rest}")), "the unit is no suffix: {line}");
                    assert_eq!(family.unit.replace(rest.to_owned()), None, "{line}");
                }
                "HELP" => {
                    assert!(!std::mem::replace(&mut family.help, true) && !rest.contains('\\'));
                }
                other => panic!("unknown metadata {other}"),
            }
            continue;
        }
        let (sample, value) = line.rsplit_once(' ').expect("a sample and its value");
        let (name, labels) = match sample.split_once('{') {
            Some((name, labels)) => (name, labels.strip_suffix('}').expect("closed labels")),
            None => (sample, ""),
        };
        assert!(is_name(name) && (labels.is_empty() || are_labels(labels)), "{line}");
        let family = families.get_mut(&current).expect("metadata comes first");
        let expected =
            if family.kind == "counter" { format!("{current}_total") } else { current.clone() };
        assert_eq!(name, expected, "{line}");
        let value: f64 = value.parse().expect("a number");
        assert!(value.is_finite() && value >= 0.0, "{line}");
        assert_eq!(
            family.samples.insert(labels.to_owned(), value),
            None,
            "a second sample: {line}"
        );
    }
    for (name, family) in &families {
        assert!(!family.kind.is_empty() && family.help, "{name} lacks its type or its help");
        let bytes = name.ends_with("_bytes");
        assert_eq!(family.unit.as_deref() == Some("bytes"), bytes, "the unit of {name}");
    }
    families
}

#[expect(clippy::float_cmp, clippy::cast_precision_loss, reason = "small whole numbers")]
#[test]
fn the_figures_are_valid_open_metrics_and_counters_never_fall() {
    let mut technique = Technique::new("metrics", 6);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x3e7);
        let options = small_options(&mut random).maintenance(Maintenance::Inline);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let db = open(&storage, &options);
        let mut before: BTreeMap<String, Family> = BTreeMap::new();
        for op in random_script(&mut random, 120) {
            if matches!(op, Op::Reopen) {
                continue;
            }
            run(&db, &op).expect("the operation works");
            let (stats, view) = (db.stats(), db.view());
            let families = parse(&stats.open_metrics());
            let of = |name: &str, labels: &str| families[name].samples[labels];
            assert_eq!(of("levelscope_puts", ""), stats.puts as f64);
            assert_eq!(of("levelscope_wal_bytes", ""), stats.wal_bytes as f64);
            assert_eq!(of("levelscope_table_bytes", ""), stats.table_bytes as f64);
            for (level, labels) in stats.levels.iter().zip((0..).map(|n| format!("level=\"{n}\"")))
            {
                assert_eq!(of("levelscope_level_tables", &labels), level.tables as f64);
                assert_eq!(of("levelscope_level_bytes", &labels), level.bytes as f64);
            }
            let tables: usize = view.levels.iter().map(|level| level.tables.len()).sum();
            let sum: f64 = families["levelscope_level_tables"].samples.values().sum();
            assert_eq!(sum, tables as f64);
            for (name, family) in before.iter().filter(|(_, family)| family.kind == "counter") {
                assert!(of(name, "") >= family.samples[""], "seed {seed}: {name} has fallen");
            }
            before = families;
            technique.count(1);
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn every_figure_has_a_metric() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &levelscope::Options::default());
    db.put("key", "value").expect("the put works");
    db.request_flush().expect("flushes");
    db.get("key").expect("reads");
    let stats = db.stats();
    let metrics: std::collections::BTreeSet<String> =
        parse(&stats.open_metrics()).into_keys().collect();
    let value = serde_json::to_value(&stats).expect("it is serialized");
    for field in value.as_object().expect("an object").keys() {
        let snake = |c: char| {
            if c.is_ascii_uppercase() { format!("_{}", c.to_ascii_lowercase()) } else { c.into() }
        };
        let name: String = field.chars().map(snake).collect();
        let name = match name.as_str() {
            "live_bytes_estimate" => "live_estimate_bytes".to_owned(),
            ratio if ratio.contains("amplification") => format!("{ratio}_ratio"),
            _ => name,
        };
        assert!(metrics.contains(&format!("levelscope_{name}")), "{name} has no metric");
    }
}
