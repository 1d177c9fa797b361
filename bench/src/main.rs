//! `levelscope-bench`: one workload after the other on one database of one engine, each answer as JSON.
//! `npm run bench -- peers` runs it; it plans the runs, repeats them and sums up.

mod bounds;
mod child;
mod data;
mod engine;
mod failure;
mod process;
mod settings;
mod timing;
mod workload;

use failure::Outcome;
use serde_json::{from_str, json, to_string};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match answer(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("levelscope-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn answer(words: &[&str]) -> Outcome<String> {
    match words {
        // The engines of this build, and the workloads.
        ["describe"] => {
            let engines = engine::known().iter().map(|known| known.described());
            let engines: Vec<_> = engines.collect();
            Ok(json!({ "engines": engines, "workloads": workload::WORKLOADS }).to_string())
        }
        ["bounds", directory, settings] => {
            let bounds = bounds::Bounds::measure(Path::new(directory), &from_str(settings)?)?;
            Ok(to_string(&bounds)?)
        }
        ["run", job] => Ok(to_string(&child::run(&from_str(job)?)?)?),
        _ => Err("npm run bench -- peers measures with this program".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_has_a_row() {
        let described: serde_json::Value = from_str(&answer(&["describe"]).unwrap()).unwrap();
        assert_eq!(described["engines"][0]["name"], "levelscope");
        let workloads = described["workloads"].as_array().unwrap();
        let names: Vec<_> = workloads.iter().map(|workload| &workload["name"]).collect();
        let directory =
            std::env::temp_dir().join(format!("levelscope-bench-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let settings = json!({
            "entries": 300, "reads": 200, "valueBytes": 100, "writeBufferBytes": 4 << 20,
            "cacheBytes": 8 << 20, "bloomBits": 10, "threads": 2, "writeRate": 50_000, "seed": 1,
            "levelscope": [["block_bytes", "2k"]],
        });
        let job = json!({
            "engine": "levelscope", "directory": directory, "workloads": names, "settings": settings,
        });
        let rows: serde_json::Value =
            from_str(&answer(&["run", &job.to_string()]).unwrap()).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        let rows = rows.as_array().unwrap();
        assert_eq!(rows.iter().map(|row| &row["workload"]).collect::<Vec<_>>(), names);
        assert!(rows.iter().all(|row| row["operations"].as_u64() > Some(0)));
    }
}
