//! The console answers any line.

use super::console;
use super::technique::effort;
use levelscope_console::{Console, Progress, unfinished, verbs};

/// A small generator of random numbers; the seed is printed and can be given.
struct Random(u64);

impl Random {
    fn new(salt: u64) -> Self {
        let given = std::env::var("LEVELSCOPE_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed: u64 = given.unwrap_or(0x5eed);
        println!("LEVELSCOPE_SEED={seed}");
        Self(seed ^ salt)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap_or(0)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Runs `line` as a host would, and stops it when it takes long.
fn answer(console: &mut Console, line: &str) {
    let _ = unfinished(line);
    let _ = console.complete(line, line.len() / 2);
    let _ = console.complete(line, line.len() + 3);
    console.start(line);
    for slices in 0.. {
        match console.advance(64) {
            Progress::Done(response) => {
                for line in &response.lines {
                    assert!(!line.to_text().chars().any(char::is_control), "{line:?}");
                }
                return;
            }
            Progress::Idle => panic!("{line:?} was never answered"),
            Progress::Blocked(file, _) => panic!("{line:?} waits for {file}"),
            Progress::More { .. } if slices == 40 => console.cancel(),
            Progress::More { .. } => {}
        }
    }
}

#[test]
fn random_bytes() {
    let mut random = Random::new(1);
    let mut console = console("classroom");
    for _ in 0..3000 {
        let length = random.below(60);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256).to_le_bytes()[0]).collect();
        answer(&mut console, &String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn random_punctuation() {
    let mut random = Random::new(2);
    let mut console = console("classroom");
    let parts = [
        "put",
        "get",
        "batch",
        "{",
        "}",
        ",",
        ";",
        "\\",
        "\n",
        "\r",
        "\"",
        "'",
        "#",
        "0x",
        "ff",
        "\\x",
        "--",
        "-v",
        "--limit",
        "=",
        " ",
        " ",
        "\t",
        "a",
        "\u{fc}",
        "\u{1f600}",
        "\u{202e}",
        "\0",
        "-1",
        "18446744073709551616",
        "99999999999k",
        "del",
        "delete-range",
        "scan",
    ];
    for _ in 0..4000 {
        let line: String = (0..random.below(14)).map(|_| random.pick(&parts)).collect();
        answer(&mut console, &line);
    }
}

#[test]
fn mutated_commands() {
    let mut random = Random::new(3);
    let mut lines: Vec<String> = verbs().map(|verb| verb.example.to_owned()).collect();
    for verb in verbs() {
        lines.push(verb.usage.to_owned());
        for flag in verb.flags {
            lines.push(format!("{} 1 2 {} 18446744073709551615", verb.name, flag.name));
            lines.push(format!("{} CURRENT {}={}", verb.name, flag.name, flag.value));
        }
    }
    for preset in ["classroom", "article"] {
        let mut console = console(preset);
        for line in &lines {
            answer(&mut console, line);
        }
        for _ in 0..600 * effort() {
            let line = &lines[random.below(lines.len())];
            let mut letters: Vec<char> = line.chars().collect();
            for _ in 0..=random.below(3) {
                let place = random.below(letters.len() + 1);
                match random.below(4) {
                    0 if place < letters.len() => drop(letters.remove(place)),
                    1 => letters.insert(
                        place,
                        random
                            .pick(&["0", "9", "{", "\"", "-", ";", " "])
                            .chars()
                            .next()
                            .unwrap_or('x'),
                    ),
                    2 if place > 0 => letters.truncate(place),
                    _ => letters.extend(lines[random.below(lines.len())].chars().take(20)),
                }
            }
            answer(&mut console, &letters.into_iter().collect::<String>());
        }
        assert!(console.run("now; reset --yes; put a 1; check; get a").error.is_none());
    }
}
