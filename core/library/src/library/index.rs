//! The file's memories in memory, as of one `change_seq`.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use corecall_policy::{Row, Snapshot};
use corecall_scoring::{Model, artifact};
use corecall_types::{Code, Error, Result, Task};

use crate::corpus::Corpus;
use crate::payload::Payload;
use crate::store::{Reading, StoredMemory};

/// Everything recall needs but the payloads themselves.
pub(crate) struct Index {
    pub corpus: Corpus,
    /// By row.
    facts: Vec<Facts>,
    /// Hash of the content, row: finds exact repeats.
    contents: BTreeSet<(u64, Row)>,
    change_seq: u64,
}

/// What filters ask of a memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub tags: Vec<String>,
    content: u64,
}

impl Index {
    pub fn new(model: Model) -> Self {
        Self { corpus: Corpus::new(model), facts: Vec::new(), contents: BTreeSet::new(), change_seq: 0 }
    }

    /// The state of the file that this is.
    pub fn change_seq(&self) -> u64 {
        self.change_seq
    }

    /// Brings the index to exactly the state of a transaction.
    ///
    /// Fails with `store.corrupt` for a memory that can't be read; the next call then begins anew.
    pub fn catch_up(&mut self, reading: &Reading<'_>, task: &Task) -> Result<()> {
        if self.change_seq > reading.change_seq {
            // An older copy of the file was put in its place.
            *self = Self::new(self.corpus.model.clone());
        }
        let outcome = self.read_changes(reading, task);
        match outcome {
            Ok(()) => self.change_seq = reading.change_seq,
            Err(_) => *self = Self::new(self.corpus.model.clone()),
        }
        outcome
    }

    /// [`Self::catch_up`], unless another thread has brought the index further meanwhile.
    pub fn catch_up_if_behind(&mut self, reading: &Reading<'_>, task: &Task) -> Result<()> {
        if self.change_seq < reading.change_seq { self.catch_up(reading, task) } else { Ok(()) }
    }

    pub fn facts(&self, row: Row) -> &Facts {
        &self.facts[row as usize]
    }

    /// Live memories whose content probably is `content`, by row: a hash decides, so compare them.
    pub fn probable_repeats(&self, content: &str) -> impl Iterator<Item = Row> + '_ {
        let hash = hash(content);
        let rows = self.contents.range((hash, 0)..=(hash, Row::MAX)).map(|&(_, row)| row);
        rows.filter(|&row| self.corpus.graph.is_live(row))
    }

    fn read_changes(&mut self, reading: &Reading<'_>, task: &Task) -> Result<()> {
        if self.change_seq == reading.change_seq {
            return Ok(());
        }
        let mut count = 0_u64;
        reading.changed_since(self.change_seq, &mut |memory| {
            count += 1;
            if count % 1024 == 0 {
                task.check()?;
            }
            self.put(&memory)
        })
    }

    fn put(&mut self, memory: &StoredMemory) -> Result<()> {
        let Payload { entry, .. } = Payload::read(&memory.id, &memory.payload)?;
        let damaged = |error: Error| {
            let message = format!("the vector of memory {} can't be read ({})", memory.id, error.code.name());
            Error::new(Code::StoreCorrupt, message)
        };
        let vector = artifact::decode(&self.corpus.model.id(), &memory.index_data).map_err(damaged)?;
        let facts = Facts { tags: entry.tags.clone(), content: hash(&entry.content) };
        let snapshot =
            Snapshot { id: memory.id.clone(), deleted: memory.deleted, entry: Some(entry), ..Snapshot::default() };
        let row = self.corpus.upsert(&snapshot, vector.as_deref()).map_err(damaged)?;
        if self.facts.len() <= row as usize {
            self.facts.resize_with(row as usize + 1, Facts::default);
        }
        let old = std::mem::replace(&mut self.facts[row as usize], facts);
        self.contents.remove(&(old.content, row));
        self.contents.insert((self.facts[row as usize].content, row));
        Ok(())
    }
}

/// Whether two lists hold the same tags.
pub(crate) fn same_tags(a: &[String], b: &[String]) -> bool {
    a.iter().all(|tag| b.contains(tag)) && b.iter().all(|tag| a.contains(tag))
}

fn hash(content: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}
