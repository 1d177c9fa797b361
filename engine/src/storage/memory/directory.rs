//! Names in memory: which files there are, and which of them a crash would leave.

use super::content::Content;
use super::crash::Crash;
use super::random::Random;
use crate::few::Few;
use crate::sorting;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// Which names there are, and which of them would survive.
#[derive(Debug, Default)]
pub(super) struct Directory {
    pub(super) live: Few<String, Arc<Node>>,
    pub(super) durable: Few<String, Arc<Node>>,
    /// Names whose last change was dropped by a failed directory sync.
    pub(super) lost: BTreeSet<String>,
    next_node: u64,
}

/// One file, with or without a name.
#[derive(Debug, Default)]
pub(super) struct Node {
    id: u64,
    content: RwLock<Content>,
}

impl Node {
    fn held(&self) -> RwLockReadGuard<'_, Content> {
        self.content.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn read<T>(&self, use_content: impl FnOnce(&Content) -> T) -> T {
        use_content(&self.held())
    }

    pub(super) fn write<T>(&self, use_content: impl FnOnce(&mut Content) -> T) -> T {
        use_content(&mut self.content.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Directory {
    pub(super) fn add(&mut self, name: String) -> Arc<Node> {
        self.next_node += 1;
        let node = Arc::new(Node { id: self.next_node, content: RwLock::default() });
        self.lost.remove(&name);
        self.live.insert(name, Arc::clone(&node));
        node
    }

    pub(super) fn sync(&mut self) {
        let Self { live, durable, lost, .. } = self;
        durable.retain(|name, _| live.contains_key(name) || lost.contains(name));
        for (name, node) in live.iter().filter(|(name, _)| !lost.contains(*name)) {
            durable.insert(name.clone(), Arc::clone(node));
        }
    }

    /// Whether a crash could still undo the last change of `name`.
    pub(super) fn differs(&self, name: &str) -> bool {
        self.live.get(name).map(|node| node.id) != self.durable.get(name).map(|node| node.id)
    }

    pub(super) fn names(&self) -> BTreeSet<&String> {
        sorting::set(self.live.keys().chain(self.durable.keys()))
    }

    /// The contents of all files, by the numbers of their nodes. All are held until this is dropped: so they are those
    /// of one moment, also while threads write.
    fn held(&self) -> Few<u64, RwLockReadGuard<'_, Content>> {
        let mut held = Few::new();
        for node in self.live.values().chain(self.durable.values()) {
            held.or_insert_with(node.id, || node.held());
        }
        held
    }

    pub(super) fn copy(&self) -> Self {
        let held = self.held();
        let mut copies: Few<u64, Arc<Node>> = Few::new();
        let mut copy = |nodes: &Few<String, Arc<Node>>| {
            let pairs = nodes.iter().filter_map(|(name, node)| {
                let content = held.get(&node.id)?;
                let copy = copies.or_insert_with(node.id, || {
                    let content = RwLock::new(Content::clone(content));
                    Arc::new(Node { id: node.id, content })
                });
                Some((name.clone(), Arc::clone(copy)))
            });
            pairs.collect()
        };
        let (live, durable) = (copy(&self.live), copy(&self.durable));
        Self { live, durable, lost: self.lost.clone(), next_node: self.next_node }
    }

    /// The directory after a crash, all of it durable.
    pub(super) fn crash_image(&self, crash: Crash) -> Self {
        let mut random = Random::new(match crash {
            Crash::Random(seed) => seed,
            Crash::KeepAll | Crash::KeepSynced => 0,
        });
        let (mut image, held) = (Self::default(), self.held());
        for name in self.names() {
            let node = match crash {
                Crash::KeepAll => self.live.get(name),
                Crash::KeepSynced => self.durable.get(name),
                Crash::Random(_) if !self.differs(name) => self.live.get(name),
                Crash::Random(_) if self.lost.contains(name) => self.durable.get(name),
                Crash::Random(_) => match random.below(5) {
                    0 | 1 => self.live.get(name),
                    2 | 3 => self.durable.get(name),
                    // The deletion was kept, the creation after it was not.
                    _ if self.live.contains_key(name) => None,
                    _ => self.durable.get(name),
                },
            };
            if let Some(content) = node.and_then(|node| held.get(&node.id)) {
                let bytes = content.crash_image(crash, &mut random);
                image.add(name.clone()).write(|content| *content = Content::durable(bytes));
            }
        }
        image.sync();
        image
    }
}
