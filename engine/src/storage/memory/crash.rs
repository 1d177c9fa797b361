//! The content of one file after a crash: synced bytes, and some of the unsynced sectors.

use super::content::{Content, SECTOR_BYTES};
use super::random::Random;
use std::ops::Range;

/// The unsynced bytes and names that survive in a crash image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// Everything: the process was killed, the machine goes on.
    KeepAll,
    /// Nothing: only synced bytes.
    KeepSynced,
    /// A subset drawn by this seed: sectors kept, lost, torn or turned to garbage; files cut short;
    /// created names missing, deleted ones back.
    Random(u64),
}

/// The fate of one unsynced sector.
#[derive(Clone, Copy)]
enum Fate {
    Kept,
    Lost,
    Torn,
    Garbage,
}

/// Draws fates; a disk keeps anything from nothing to all, so each file draws its own odds first.
struct Fates {
    kept_of_four: u64,
}

impl Fates {
    fn new(random: &mut Random) -> Self {
        Self { kept_of_four: random.below(5) }
    }

    fn draw(&self, random: &mut Random) -> Fate {
        if random.below(4) < self.kept_of_four {
            return Fate::Kept;
        }
        match random.below(4) {
            0 | 1 => Fate::Lost,
            2 => Fate::Torn,
            _ => Fate::Garbage,
        }
    }
}

impl Content {
    /// The bytes that `crash` leaves.
    pub(super) fn crash_image(&self, crash: Crash, random: &mut Random) -> Vec<u8> {
        match crash {
            Crash::KeepAll => self.bytes().to_vec(),
            Crash::KeepSynced => self.durable_image(),
            Crash::Random(_) => self.random_image(random),
        }
    }

    fn random_image(&self, random: &mut Random) -> Vec<u8> {
        let mut image = self.durable_image();
        let fates = Fates::new(random);
        for range in self.overwritten() {
            self.write_sector(&mut image, range, fates.draw(random), random);
        }
        let appended = self.appended();
        // The length is stored apart from the bytes: it may be any of those the file has had.
        let end = match random.below(4) {
            0 => appended.end,
            1 => image.len(),
            _ => appended.start + random.up_to(appended.len()),
        };
        if end > image.len() {
            image.resize(end, 0);
        }
        // The zeros of reserved space are bytes like all others until they are synced.
        let mut start = appended.start;
        while start < end {
            let next = end.min((start / SECTOR_BYTES + 1) * SECTOR_BYTES);
            self.write_sector(&mut image, start..next, fates.draw(random), random);
            start = next;
        }
        image
    }

    /// Brings the unsynced bytes of `range` (inside one sector) to the disk according to `fate`.
    fn write_sector(&self, image: &mut [u8], range: Range<usize>, fate: Fate, random: &mut Random) {
        let range = range.start..range.end.min(image.len());
        let (Some(old), Some(new)) = (image.get_mut(range.clone()), self.bytes().get(range)) else {
            return;
        };
        match fate {
            Fate::Kept => old.copy_from_slice(new),
            Fate::Lost => {}
            Fate::Torn => {
                let cut = random.up_to(old.len());
                let head = random.below(4) > 0;
                for (index, (old, new)) in old.iter_mut().zip(new).enumerate() {
                    if (index < cut) == head {
                        *old = *new;
                    }
                }
            }
            Fate::Garbage => random.fill(old),
        }
    }
}
