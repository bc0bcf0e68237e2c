//! Storages that write down what happens to them, and what a crash may leave of that.
//!
//! ```text
//! before | write | write | sync | write of the header | sync | set_len
//!                  ^ a killed program: everything up to here, this one cut anywhere
//!          ^^^^^^^^^^^^^^^ a lost machine: any of the sectors written since the last sync
//! ```
//!
//! A disk writes a sector of 512 bytes whole or not at all, so the header, which is written last
//! and at the front, is there or not. A file that is replaced is written under another name and
//! renamed: it is the old one or the new one, with leftovers beside it.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use oxiblosc::frame::{Contiguous, Durability, FrameStoreMut, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt, WriteAt};
use oxiblosc::{ChunkSource, DParams, FrameReader, FrameWriter};

use super::script::{Content, Random, Tidy};

const SECTOR: usize = 512;

/// A kind of storage that can crash.
pub(crate) trait Disk: Clone {
    type Store: FrameStoreMut;
    type Event;
    /// The state after a crash.
    type State: Clone + std::hash::Hash;

    /// An empty one, and the store on it.
    fn new() -> (Self, Self::Store);
    /// The store on what is there.
    fn open(&self) -> Self::Store;
    /// The current content.
    fn state(&self) -> Self::State;
    /// The events since the last call.
    fn events(&self) -> Vec<Self::Event>;
    /// The content of a frame in this state.
    fn read(state: &Self::State) -> oxiblosc::Result<Content>;
    /// Calls `check` with every state that a crash may leave, until it has been called `most`
    /// times for each stretch between two syncs.
    fn crashes(
        before: &Self::State,
        events: &[Self::Event],
        sync: Durability,
        random: &mut Random,
        most: usize,
        check: &mut dyn FnMut(&Self::State, &str),
    );
}

// ---- one file ----

#[derive(Clone, Debug)]
pub(crate) enum Event {
    Write(usize, Vec<u8>),
    SetLen(usize),
    Sync,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct File(Arc<Mutex<(Vec<u8>, Vec<Event>)>>);

impl ReadAt for File {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().0.len() as u64)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        Memory(&self.0.lock().unwrap().0).read_exact_at(buf, offset)
    }
}

impl File {
    fn happens(&self, event: Event) {
        let mut inner = self.0.lock().unwrap();
        apply(&mut inner.0, &event);
        inner.1.push(event);
    }
}

impl WriteAt for File {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.happens(Event::Write(
            usize::try_from(offset).unwrap(),
            bytes.to_vec(),
        ));
        Ok(())
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.happens(Event::SetLen(usize::try_from(len).unwrap()));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.happens(Event::Sync);
        Ok(())
    }
}

fn apply(bytes: &mut Vec<u8>, event: &Event) {
    match event {
        Event::Write(offset, new) => {
            bytes.resize(bytes.len().max(offset + new.len()), 0);
            bytes[*offset..offset + new.len()].copy_from_slice(new);
        }
        Event::SetLen(len) => bytes.resize(*len, 0),
        Event::Sync => {}
    }
}

/// The parts of an event that reach the disk each on its own.
fn sectors(event: &Event) -> Vec<Event> {
    let Event::Write(offset, bytes) = event else {
        return vec![event.clone()];
    };
    let mut parts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = (offset + at) / SECTOR * SECTOR + SECTOR;
        let end = (end - offset).min(bytes.len());
        parts.push(Event::Write(offset + at, bytes[at..end].to_vec()));
        at = end;
    }
    parts
}

impl Disk for File {
    type Store = Contiguous<Self>;
    type Event = Event;
    type State = Vec<u8>;

    fn new() -> (Self, Self::Store) {
        let file = Self::default();
        (file.clone(), Contiguous::new(file))
    }

    fn open(&self) -> Self::Store {
        Contiguous::new(self.clone())
    }

    fn state(&self) -> Vec<u8> {
        self.0.lock().unwrap().0.clone()
    }

    fn events(&self) -> Vec<Event> {
        std::mem::take(&mut self.0.lock().unwrap().1)
    }

    fn read(state: &Vec<u8>) -> oxiblosc::Result<Content> {
        let store = Contiguous::new(Memory(state));
        Content::of(&FrameReader::open_in(store, DParams::new())?)
    }

    fn crashes(
        before: &Vec<u8>,
        events: &[Event],
        sync: Durability,
        random: &mut Random,
        most: usize,
        check: &mut dyn FnMut(&Vec<u8>, &str),
    ) {
        // A killed program.
        let mut state = before.clone();
        for (at, event) in events.iter().enumerate() {
            if let Event::Write(offset, bytes) = event {
                let step = (bytes.len() / most).max(1);
                let cuts = (1..bytes.len()).step_by(step);
                // The first sector is written whole.
                for cut in cuts.filter(|cut| offset + cut >= SECTOR) {
                    let mut torn = state.clone();
                    apply(&mut torn, &Event::Write(*offset, bytes[..cut].to_vec()));
                    check(&torn, &format!("event {at} cut after {cut} bytes"));
                }
            }
            apply(&mut state, event);
            check(&state, &format!("after event {at}"));
        }
        if sync == Durability::None {
            return;
        }
        // A lost machine.
        let mut safe = before.clone();
        for epoch in events.split_inclusive(|event| matches!(event, Event::Sync)) {
            let parts: Vec<Event> = epoch.iter().flat_map(sectors).collect();
            // All combinations where they are few.
            let all = 1_usize.checked_shl(parts.len().try_into().unwrap());
            let all = all.filter(|&all| all <= most);
            for n in 0..all.unwrap_or(most) {
                let mut state = safe.clone();
                for (bit, part) in parts.iter().enumerate() {
                    let arrives = match all {
                        Some(_) => n >> bit & 1 == 1,
                        None => random.below(2) == 1,
                    };
                    if arrives {
                        apply(&mut state, part);
                    }
                }
                check(&state, "with lost sectors");
            }
            epoch.iter().for_each(|event| apply(&mut safe, event));
        }
    }
}

impl Tidy for FrameWriter<Contiguous<File>> {
    fn tidy(&mut self) {
        self.compact().unwrap();
    }

    fn drop_tail(&mut self) {
        let store = self.reader().store().clone();
        let mut file = store.into_inner();
        let end = file.len().unwrap();
        file.write_all_at(&[0xE5; 1000], end).unwrap();
        assert_eq!(self.recover().unwrap(), 1000);
    }
}

// ---- a directory ----

#[derive(Clone, Debug)]
pub(crate) enum Change {
    Replace(String, Vec<u8>),
    Remove(String),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Folder(Arc<Mutex<(MemoryDir, Vec<Change>)>>);

impl Directory for Folder {
    type File = Memory<Arc<[u8]>>;

    fn open(&self, name: &str) -> io::Result<Self::File> {
        self.0.lock().unwrap().0.open(name)
    }

    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()> {
        let mut inner = self.0.lock().unwrap();
        inner
            .1
            .push(Change::Replace(name.to_owned(), bytes.to_vec()));
        inner.0.replace(name, bytes, sync)
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let mut inner = self.0.lock().unwrap();
        inner.1.push(Change::Remove(name.to_owned()));
        inner.0.remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.0.lock().unwrap().0.names()
    }
}

/// The files of a directory.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

fn change(files: &mut Files, change: &Change) {
    match change {
        Change::Replace(name, bytes) => files.insert(name.clone(), bytes.clone()),
        Change::Remove(name) => files.remove(name),
    };
}

impl Disk for Folder {
    type Store = Sparse<Self>;
    type Event = Change;
    type State = Files;

    fn new() -> (Self, Self::Store) {
        let folder = Self::default();
        (folder.clone(), Sparse::new(folder))
    }

    fn open(&self) -> Self::Store {
        Sparse::open(self.clone()).unwrap()
    }

    fn state(&self) -> Files {
        let names = self.names().unwrap();
        let file = |name: String| {
            let bytes = Directory::open(self, &name).unwrap().0.to_vec();
            (name, bytes)
        };
        names.into_iter().map(file).collect()
    }

    fn events(&self) -> Vec<Change> {
        std::mem::take(&mut self.0.lock().unwrap().1)
    }

    fn read(state: &Files) -> oxiblosc::Result<Content> {
        let mut dir = MemoryDir::new();
        for (name, bytes) in state {
            dir.replace(name, bytes, false).unwrap();
        }
        Content::of(&FrameReader::open_in(Sparse::open(dir)?, DParams::new())?)
    }

    fn crashes(
        before: &Files,
        events: &[Change],
        sync: Durability,
        random: &mut Random,
        most: usize,
        check: &mut dyn FnMut(&Files, &str),
    ) {
        let mut state = before.clone();
        // Files that were removed, and are there again when the machine is lost.
        let mut removed = Files::new();
        for (at, event) in events.iter().enumerate() {
            let lost = |state: &Files, removed: &Files, random: &mut Random| {
                let mut state = state.clone();
                for (name, bytes) in removed {
                    if !state.contains_key(name) && random.below(2) == 0 {
                        state.insert(name.clone(), bytes.clone());
                    }
                }
                state
            };
            if let Change::Replace(name, bytes) = event {
                let step = (bytes.len() / most.min(8)).max(1);
                for cut in (0..=bytes.len()).step_by(step) {
                    let mut torn = match sync {
                        Durability::None => state.clone(),
                        _ => lost(&state, &removed, random),
                    };
                    torn.insert(format!(".{name}.new"), bytes[..cut].to_vec());
                    check(&torn, &format!("change {at} cut after {cut} bytes"));
                }
                // The directory is synced with every file.
                removed.clear();
            }
            if let Change::Remove(name) = event
                && let Some(bytes) = state.get(name)
            {
                removed.insert(name.clone(), bytes.clone());
            }
            change(&mut state, event);
            check(&state, &format!("after change {at}"));
            if sync != Durability::None {
                for _ in 0..most.min(1 << removed.len().min(10)) {
                    let state = lost(&state, &removed, random);
                    check(&state, "with removals that did not last");
                }
            }
        }
    }
}

impl Tidy for FrameWriter<Sparse<Folder>> {
    fn tidy(&mut self) {
        self.compact().unwrap();
        let places = self.reader().chunk_places();
        let numbers = places.filter_map(|place| match place {
            oxiblosc::frame::ChunkPlace::File(number) => Some(number),
            _ => None,
        });
        assert!(numbers.eq(0..self.stored()), "numbers in order");
    }

    fn drop_tail(&mut self) {
        let mut folder = self.reader().store().dir().clone();
        folder
            .replace("0000ABCD.chunk", &[0xE5; 100], false)
            .unwrap();
        assert_eq!(self.recover().unwrap(), 1);
    }
}

/// The number of chunks that have files.
trait Stored {
    fn stored(&self) -> u64;
}

impl Stored for FrameWriter<Sparse<Folder>> {
    fn stored(&self) -> u64 {
        let nchunks = 0..self.layout().nchunks;
        nchunks.filter(|&n| self.special_value(n).is_none()).count() as u64
    }
}
