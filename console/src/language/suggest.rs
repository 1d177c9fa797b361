//! "Did you mean": the nearest of a few words.

/// The candidate nearest to `typed`, if one is near enough to be meant.
pub fn closest<'a>(typed: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Longer input is never a slip of a short word, and the distance costs length times length.
    let typed: Vec<char> = typed.to_lowercase().chars().take(40).collect();
    if typed.is_empty() {
        return None;
    }
    let allowed = (typed.len() / 3).clamp(1, 2);
    candidates
        .map(|candidate| (score(&typed, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance, but the beginning of a word (two letters at least) is always near.
fn score(typed: &[char], candidate: &str) -> usize {
    let letters: Vec<char> = candidate.chars().collect();
    let begins = typed.len() >= 2 && letters.starts_with(typed);
    let distance = distance(typed, &letters);
    if begins { distance.min(1) } else { distance }
}

/// Insertions, deletions, substitutions and swaps of neighbours between two words.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut previous_letter = None;
    for (row, &letter) in left.iter().enumerate() {
        let mut line = vec![row + 1];
        let mut neighbour = None;
        for (column, &other) in right.iter().enumerate() {
            let at =
                |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let change = at(&last, column) + usize::from(letter != other);
            let insert = at(&line, column) + 1;
            let delete = at(&last, column + 1) + 1;
            let mut best = change.min(insert).min(delete);
            if column > 0 && previous_letter == Some(other) && neighbour == Some(letter) {
                best = best.min(at(&before, column - 1) + 1);
            }
            line.push(best);
            neighbour = Some(other);
        }
        before = std::mem::replace(&mut last, line);
        previous_letter = Some(letter);
    }
    last.last().copied().unwrap_or(left.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found() {
        let verbs = ["put", "get", "del", "scan", "flush", "compact", "help"];
        let closest = |typed| closest(typed, verbs.into_iter());
        assert_eq!(closest("pit"), Some("put"));
        assert_eq!(closest("gte"), Some("get"));
        assert_eq!(closest("FLUSH"), Some("flush"));
        assert_eq!(closest("compcat"), Some("compact"));
        assert_eq!(closest("comp"), Some("compact"));
        assert_eq!(closest("xyzzy"), None);
        assert_eq!(closest(""), None);
    }
}
