//! The store: reads side by side, writes one at a time, each in a transaction.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use corecall_types::{Code, Error, Result, Task};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::connection::{MEMORY, Purpose, connect, make_private, patiently};
use super::failure::{corrupt, failure};
use super::gate::{Gate, closed};
use super::header::{self, Header, PAYLOAD_VERSION};
use super::memories::{self, StoredMemory};
use super::schema::{self, State};
use super::statistics::{self, StoredPair};

/// Idle read connections kept; more are opened while more threads read.
const IDLE_READERS: usize = 8;

/// What a store is opened with.
pub(crate) struct Opening<'a> {
    pub path: &'a str,
    pub read_only: bool,
    /// How a new library is described.
    pub header: Header,
    /// Whether the file's model must be the header's.
    pub model_given: bool,
    /// How long a lock is waited for.
    pub busy_timeout: Duration,
}

/// An open file, or a database in memory.
pub(crate) struct Store {
    path: String,
    header: Header,
    read_only: bool,
    busy_timeout: Duration,
    /// The only connection of a database in memory.
    writer: Gate<Connection>,
    counter: Gate<Option<Connection>>,
    readers: Mutex<Vec<Connection>>,
    closed: AtomicBool,
}

impl Store {
    /// Opens the file, makes or migrates it. Errors are at `path`, `model` or `read_only`.
    pub fn open(opening: &Opening<'_>, task: &Task) -> Result<Self> {
        let in_memory = opening.path == MEMORY;
        if in_memory && opening.read_only {
            let message = "a library in memory begins empty; open it without read_only";
            return Err(Error::new(Code::ArgumentConflict, message).at("read_only"));
        }
        let deadline = Instant::now() + opening.busy_timeout;
        let opened = if opening.read_only {
            open_to_read(opening, task, deadline)
        } else {
            open_to_write(opening, task, deadline)
        };
        let connection = opened.map_err(|error| error.at("path"))?;
        let header = header::read(&connection).map_err(|error| error.at("path"))?;
        check_header(&header, opening)?;

        let store = Self {
            path: opening.path.to_owned(),
            read_only: opening.read_only || header.payload_version > PAYLOAD_VERSION,
            header,
            busy_timeout: opening.busy_timeout,
            writer: Gate::gone(),
            counter: if in_memory { Gate::gone() } else { Gate::new(None) },
            readers: Mutex::default(),
            closed: AtomicBool::new(false),
        };
        Ok(if store.read_only {
            Self { readers: Mutex::new(vec![connection]), ..store }
        } else {
            Self { writer: Gate::new(connection), ..store }
        })
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// The header as it was when the file was opened.
    pub fn header(&self) -> &Header {
        &self.header
    }

    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Runs `work` in one read transaction.
    pub fn read<T>(&self, task: &Task, work: impl FnOnce(&Reading<'_>) -> Result<T>) -> Result<T> {
        let deadline = self.deadline();
        if self.path == MEMORY {
            let connection = self.writer.lend(task, deadline)?;
            return read_on(&connection, task, deadline, work);
        }
        let connection = self.reader()?;
        let result = read_on(&connection, task, deadline, work);
        let mut idle = self.idle();
        if idle.len() < IDLE_READERS && !self.closed.load(Ordering::Acquire) {
            idle.push(connection);
        }
        result
    }

    /// Runs `work` in one write transaction and commits it, unless it fails or writes nothing.
    ///
    /// The call can be cancelled until the commit begins.
    pub fn write<T>(&self, task: &Task, work: impl FnOnce(&Writing<'_>) -> Result<T>) -> Result<T> {
        self.check_writable()?;
        let deadline = self.deadline();
        let connection = self.writer.lend(task, deadline)?;
        let transaction = begin(&connection, task, deadline)?;
        let change_seq = header::change_seq(&transaction)?;
        let writing = Writing { reading: Reading { connection: &transaction, change_seq }, wrote: Cell::new(false) };
        let result = work(&writing)?;
        if writing.wrote.get() {
            header::set_change_seq(&transaction, change_seq + 1)?;
            task.check()?;
            transaction.commit().map_err(failure)?;
        }
        Ok(result)
    }

    /// Stores the evidence of several recalls, in one transaction of the connection for statistics.
    pub fn count(&self, task: &Task, recalls: &[(&[String], &[String])]) -> Result<()> {
        self.check_writable()?;
        let deadline = self.deadline();
        if self.path == MEMORY {
            return count_on(&*self.writer.lend(task, deadline)?, task, deadline, recalls);
        }
        let mut connection = self.counter.lend(task, deadline)?;
        if connection.is_none() {
            *connection = Some(connect(&self.path, Purpose::Count, false)?);
        }
        let connection = connection.as_ref().expect("it was connected just now");
        count_on(connection, task, deadline, recalls)
    }

    /// Fails with `store.read_only` where nothing can be written.
    pub fn check_writable(&self) -> Result<()> {
        if self.read_only {
            let message = "the library is open read-only; open it without read_only to write";
            return Err(Error::new(Code::StoreReadOnly, message));
        }
        Ok(())
    }

    /// Lets go of every connection that isn't in use; the others go when their calls end.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.idle().clear();
        self.counter.close();
        // Last, since the last connection to leave moves the WAL into the file, and only a writer can.
        self.writer.close();
    }

    fn reader(&self) -> Result<Connection> {
        if self.closed.load(Ordering::Acquire) {
            return Err(closed());
        }
        let idle = self.idle().pop();
        idle.map_or_else(|| connect(&self.path, Purpose::Read, false), Ok)
    }

    // A connection is pushed or popped in one step; a panic elsewhere can't leave the list half changed.
    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.busy_timeout
    }
}

/// A read transaction: everything seen belongs to `change_seq`.
pub(crate) struct Reading<'a> {
    connection: &'a Connection,
    pub change_seq: u64,
}

impl Reading<'_> {
    /// The payload of a memory.
    pub fn payload(&self, id: &str) -> Result<Option<Vec<u8>>> {
        memories::payload(self.connection, id)
    }

    /// Every memory changed after `change_seq`.
    pub fn changed_since(&self, change_seq: u64, each: &mut dyn FnMut(StoredMemory) -> Result<()>) -> Result<()> {
        memories::changed_since(self.connection, change_seq, each)
    }

    /// The co-recall pairs of a memory that were counted at least `least` times.
    pub fn pairs_of(&self, id: &str, least: u64) -> Result<Vec<StoredPair>> {
        statistics::pairs_of(self.connection, id, least)
    }
}

/// A write transaction; what it writes carries the next `change_seq`.
pub(crate) struct Writing<'a> {
    reading: Reading<'a>,
    wrote: Cell<bool>,
}

impl Writing<'_> {
    /// Adds a memory.
    pub fn insert(&self, memory: &StoredMemory) -> Result<()> {
        self.wrote.set(true);
        memories::insert(self.connection, memory, self.change_seq + 1)
    }

    /// Replaces what may change of a memory without its vector.
    pub fn rewrite(&self, id: &str, updated_at: i64, deleted: bool, payload: &[u8]) -> Result<()> {
        self.wrote.set(true);
        memories::rewrite(self.connection, id, updated_at, deleted, payload, self.change_seq + 1)
    }

    /// Replaces the vector of a memory that is rewritten in the same transaction.
    pub fn reindex(&self, id: &str, index_data: &[u8]) -> Result<()> {
        self.wrote.set(true);
        memories::reindex(self.connection, id, index_data)
    }
}

impl<'a> Deref for Writing<'a> {
    type Target = Reading<'a>;

    fn deref(&self) -> &Reading<'a> {
        &self.reading
    }
}

fn open_to_read(opening: &Opening<'_>, task: &Task, deadline: Instant) -> Result<Connection> {
    let connection = connect(opening.path, Purpose::Read, false)?;
    match patiently(task, deadline, || schema::state(&connection))? {
        State::Library(schema::VERSION) => Ok(connection),
        State::Library(_) => {
            let message = "the file has an older schema; open it once without read_only to bring it up to date";
            Err(Error::new(Code::StoreReadOnly, message))
        }
        State::Fresh => Err(corrupt("the file is empty")),
    }
}

fn open_to_write(opening: &Opening<'_>, task: &Task, deadline: Instant) -> Result<Connection> {
    make_private(opening.path);
    let mut connection = connect(opening.path, Purpose::Write, true)?;
    // Before anything is changed: the file of another program must stay as it is.
    let state = patiently(task, deadline, || schema::state(&connection))?;
    if opening.path != MEMORY {
        let mode: String = patiently(task, deadline, || {
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(failure)
        })?;
        if mode != "wal" {
            return Err(Error::new(Code::StoreIo, "the file system can't share a WAL; choose a path on a local disk"));
        }
    }
    match state {
        State::Fresh => patiently(task, deadline, || schema::create(&mut connection, &opening.header))?,
        // Opening waits for no writer.
        State::Library(schema::VERSION) => {}
        State::Library(_) => patiently(task, deadline, || schema::migrate(&mut connection))?,
    }
    Ok(connection)
}

fn check_header(header: &Header, opening: &Opening<'_>) -> Result<()> {
    if header.seal != 0 {
        let message = "the file is sealed, which this version can't open; upgrade corecall";
        return Err(Error::new(Code::StoreNewer, message).at("path"));
    }
    if opening.model_given && header.model != opening.header.model {
        let message = format!("the library's model is {}; leave model out or pass that", header.model);
        return Err(Error::new(Code::ModelMismatch, message).at("model"));
    }
    Ok(())
}

fn begin<'c>(connection: &'c Connection, task: &Task, deadline: Instant) -> Result<Transaction<'c>> {
    patiently(task, deadline, || {
        Transaction::new_unchecked(connection, TransactionBehavior::Immediate).map_err(failure)
    })
}

fn read_on<T>(
    connection: &Connection,
    task: &Task,
    deadline: Instant,
    work: impl FnOnce(&Reading<'_>) -> Result<T>,
) -> Result<T> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred).map_err(failure)?;
    // The first statement takes the snapshot.
    let change_seq = patiently(task, deadline, || header::change_seq(&transaction))?;
    work(&Reading { connection: &transaction, change_seq })
}

fn count_on(connection: &Connection, task: &Task, deadline: Instant, recalls: &[(&[String], &[String])]) -> Result<()> {
    let transaction = begin(connection, task, deadline)?;
    for (hits, together) in recalls {
        statistics::count(&transaction, hits, together)?;
    }
    transaction.commit().map_err(failure)
}
