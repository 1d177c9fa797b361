//! The reads of a run: gets, scans, prefix scans, snapshots, iterators, each against the model.

use super::super::ops::{Key, Op, Value};
use super::super::walker::{Walker, between};
use super::{Run, Verdict};
use crate::common::Model;
use levelscope::{Bound, Db, ScanOptions};

impl Run {
    /// The states that readers may see: the last one, or the one with the failed write.
    fn visible(&self) -> Vec<Model> {
        std::iter::once(self.now()).chain(self.doubtful.clone()).collect()
    }

    pub(super) fn get(&mut self, key: &[u8]) -> Verdict {
        match self.db()?.get(key) {
            Ok(value) => {
                self.answer(&[value.as_deref().unwrap_or(b"none"), &[u8::from(value.is_some())]]);
                let right = self
                    .visible()
                    .iter()
                    .any(|state| state.get(key).map(Vec::as_slice) == value.as_deref());
                if right { Ok(()) } else { Err("a get gives a wrong answer".into()) }
            }
            Err(error) => self.excused(&error),
        }
    }

    pub(super) fn scan(
        &mut self,
        lower: &Bound<Key>,
        upper: &Bound<Key>,
        backward: bool,
    ) -> Verdict {
        let options = ScanOptions::default().range((lower.clone(), upper.clone()));
        match scan(&self.db()?, &options, backward) {
            Ok(found) => {
                self.answer_items(&found);
                let states = self.visible();
                if states.iter().any(|state| between(state, lower, upper) == found) {
                    return Ok(());
                }
                Err(difference("a scan", &found, &between(&states[0], lower, upper)))
            }
            Err(error) => self.excused(&error),
        }
    }

    pub(super) fn prefix(&mut self, prefix: &Key, backward: bool) -> Verdict {
        let options = ScanOptions::default().prefix(prefix);
        let of = |state: &Model| -> Vec<(Key, Value)> {
            let inside = state.iter().filter(|(key, _)| key.starts_with(prefix));
            inside.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        match scan(&self.db()?, &options, backward) {
            Ok(found) => {
                self.answer_items(&found);
                let states = self.visible();
                if states.iter().any(|state| of(state) == found) {
                    return Ok(());
                }
                Err(difference("a prefix scan", &found, &of(&states[0])))
            }
            Err(error) => self.excused(&error),
        }
    }

    fn answer_items(&mut self, items: &[(Key, Value)]) {
        let parts: Vec<&[u8]> =
            items.iter().flat_map(|(key, value)| [&key[..], &value[..]]).collect();
        self.answer(&parts);
    }

    pub(super) fn snapshot(&mut self, op: &Op) -> Verdict {
        let count = self.snapshots.len();
        match op {
            Op::Snapshot if self.doubtful.is_none() && count < 6 => {
                let snapshot = self.db()?.snapshot();
                self.snapshots.push((snapshot, self.now()));
                Ok(())
            }
            Op::GetAt(number, key) if count > 0 => {
                let (snapshot, then) = &self.snapshots[number % count];
                let wanted = then.get(key).cloned();
                match snapshot.get(key) {
                    Ok(value) if value.as_deref() == wanted.as_deref() => {
                        self.answer(&[value.as_deref().unwrap_or(b"none")]);
                        Ok(())
                    }
                    Ok(_) => Err("a get at a snapshot gives a wrong answer".into()),
                    Err(error) => self.excused(&error),
                }
            }
            Op::ScanAt(number, backward) if count > 0 => {
                let (snapshot, then) = &self.snapshots[number % count];
                let options = ScanOptions::default().snapshot(snapshot);
                let wanted = between(then, &Bound::Unbounded, &Bound::Unbounded);
                match scan(&self.db()?, &options, *backward) {
                    Ok(found) if found == wanted => {
                        self.answer_items(&found);
                        Ok(())
                    }
                    Ok(found) => Err(difference("a scan at a snapshot", &found, &wanted)),
                    Err(error) => self.excused(&error),
                }
            }
            Op::Release(number) if count > 0 => {
                drop(self.snapshots.swap_remove(number % count));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn iterator(&mut self, op: &Op) -> Verdict {
        let count = self.walkers.len();
        match op {
            Op::Iterator { lower, upper, at } if self.doubtful.is_none() && count < 6 => {
                let held = at.filter(|_| !self.snapshots.is_empty());
                let held = held.map(|number| &self.snapshots[number % self.snapshots.len()]);
                let (snapshot, then) = match held {
                    Some((snapshot, then)) => (Some(snapshot), then.clone()),
                    None => (None, self.now()),
                };
                let bounds = (lower.clone(), upper.clone());
                let options = ScanOptions::default().snapshot(snapshot).range(bounds);
                match self.db()?.iter(&options) {
                    Ok(iterator) => {
                        let items = between(&then, lower, upper);
                        self.walkers.push(Walker::new(iterator, items));
                        Ok(())
                    }
                    Err(error) => self.excused(&error),
                }
            }
            Op::Move(number, moves) if count > 0 => {
                let chosen = number % count;
                for walk in moves {
                    match self.walkers[chosen].walk(walk) {
                        Ok(same) => same?,
                        Err(error) => {
                            self.excused(&error)?;
                            let sticks = self.walkers.swap_remove(chosen).sticks_to_its_error();
                            return if sticks {
                                Ok(())
                            } else {
                                Err("an error is forgotten".into())
                            };
                        }
                    }
                    let shown = self.walkers[chosen].current();
                    let shown = shown.map(|(key, value)| (key.to_vec(), value.to_vec()));
                    self.answer_items(&Vec::from_iter(shown));
                }
                Ok(())
            }
            Op::Forget(number) if count > 0 => {
                drop(self.walkers.swap_remove(number % count));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn scan(
    db: &Db,
    options: &ScanOptions<'_>,
    backward: bool,
) -> levelscope::Result<Vec<(Key, Value)>> {
    let mut iterator = db.iter(options)?;
    let mut found = Vec::new();
    if backward { iterator.seek_to_last() } else { iterator.seek_to_first() }?;
    while iterator.valid() {
        found.push((iterator.key().to_vec(), iterator.value().to_vec()));
        if backward { iterator.prev() } else { iterator.next() }?;
    }
    if backward {
        found.reverse();
    }
    Ok(found)
}

pub(super) fn contents(db: &Db) -> levelscope::Result<Model> {
    Ok(scan(db, &ScanOptions::default(), false)?.into_iter().collect())
}

pub(super) fn difference(what: &str, found: &[(Key, Value)], wanted: &[(Key, Value)]) -> String {
    let place = found.iter().zip(wanted).take_while(|(left, right)| left == right).count();
    let key = |items: &[(Key, Value)]| {
        items.get(place).map_or("the end".into(), |(key, _)| key.escape_ascii().to_string())
    };
    format!(
        "{what}: {} entries, not {}; they differ from entry {place} on: {} instead of {}",
        found.len(),
        wanted.len(),
        key(found),
        key(wanted)
    )
}
