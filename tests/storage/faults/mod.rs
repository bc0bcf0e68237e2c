//! Storage that fails: at every single read, write, truncation and sync of a frame's life, in every
//! way a system may fail. Each time the error is typed, and what was committed is there.
//!
//! ```text
//! operation  0  1  2  3  4 ... n       run k fails operation k, alone or with all later ones;
//!            ok ok ok FAIL             then the bytes that are there are opened without faults
//! ```
//!
//! Every operation fails in each of the ways of [`disk::WAYS`]: reads and writes that stop half-way
//! among them, and operations that are done and whose answer is lost.
#![cfg(feature = "b2nd")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failing test may panic, and says how much it did"
)]

mod disk;
mod steps;

use std::collections::HashMap;
use std::io;

use disk::{Disk, Extent, File, Folder, Plan, State, WAYS};
use oxiblosc::b2nd::{Array, Selection};
use oxiblosc::frame::FrameStoreMut;
use oxiblosc::{DParams, Error, ErrorKind, FrameReader, FrameWriter, Result};
use steps::{
    Content, RECOVER, Step, array_params, array_steps, frame_params, frame_steps, noise, read,
};

/// The error of a storage, with what the storage said.
#[track_caller]
fn typed(error: &Error, plan: Plan, what: &str) {
    let mut inner = error;
    while let Error::InChunk { source, .. } = inner {
        inner = source;
    }
    let Error::Io { source, .. } = inner else {
        panic!("{what}, {plan:?}: {error}")
    };
    assert_eq!(source.kind(), plan.kind, "{what}: {error}");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("a fault on purpose"), "{error}");
}

fn content<D: Disk>(disk: &D) -> Result<Content> {
    read(disk.with(Plan::NEVER).1?)
}

/// How much was done.
#[derive(Debug, Default)]
struct Tally {
    operations: u64,
    faults: u64,
    /// How many failing runs left the old frame.
    kept: u64,
    /// How many different states were left, each of which was read.
    states: u64,
}

/// Opens the frame, takes a step and commits, by a plan; how many operations that took.
fn run<D: Disk>(disk: &D, step: Step<D::Store>, plan: Plan) -> (u64, Result<()>) {
    let (faults, store) = disk.with(plan);
    let result = store.and_then(|store| {
        let mut writer = FrameWriter::open_in(store, DParams::new())?;
        writer.set_chunksize(400)?;
        step(&mut writer)?;
        writer.commit()
    });
    (faults.count(), result)
}

/// Fails every operation of a step, and does it for good in the end.
fn fail_step<D: Disk>(disk: &D, what: &str, step: Step<D::Store>, tally: &mut Tally) {
    let old = content(disk).unwrap();
    let good = disk.copy();
    let (operations, result) = run(&good, step, Plan::NEVER);
    result.unwrap_or_else(|error| panic!("{what}: {error}"));
    let new = content(&good).unwrap();
    // Whether a state that a fault left holds what is new; most are left many times.
    let mut seen: HashMap<State, bool> = HashMap::new();
    for at in 0..operations {
        for plan in Plan::all(at) {
            let broken = disk.copy();
            let (_, result) = run(&broken, step, plan);
            let place = format!("{what}, operation {at} of {operations}, {plan:?}");
            if let Err(error) = &result {
                typed(error, plan, &place);
            }
            let holds_new = *seen.entry(broken.state()).or_insert_with(|| {
                let left = content(&broken)
                    .unwrap_or_else(|error| panic!("{place}: what is left: {error}"));
                assert!(left == old || left == new, "{place}: neither old nor new");
                if left == old {
                    // It can be written to again.
                    let (_, result) = run(&broken, step, Plan::NEVER);
                    result.unwrap_or_else(|error| panic!("{place}: once more: {error}"));
                    assert_eq!(content(&broken).unwrap(), new, "{place}: once more");
                }
                left == new
            });
            assert!(result.is_err() || holds_new, "{place}: committed and lost");
            tally.faults += 1;
            tally.kept += u64::from(!holds_new);
        }
    }
    tally.operations += operations;
    tally.states += seen.len() as u64;
    run(disk, step, Plan::NEVER).1.unwrap();
}

/// Fails every operation of every step in turn, first those that make the frame.
fn fail_everywhere<D: Disk>(
    what: &str,
    create: fn(D::Store) -> Result<()>,
    steps: Vec<(&'static str, Step<D::Store>)>,
) {
    let mut tally = Tally::default();
    let good = D::new();
    let (faults, store) = good.fresh(Plan::NEVER);
    create(store).unwrap();
    let new = content(&good).unwrap();
    for at in 0..faults.count() {
        for plan in Plan::all(at) {
            let broken = D::new();
            let place = format!("{what}, create, operation {at}, {plan:?}");
            match create(broken.fresh(plan).1) {
                Ok(()) => assert_eq!(content(&broken).unwrap(), new, "{place}"),
                Err(error) => typed(&error, plan, &place),
            }
            // Whatever there is, it can be looked at, and a new frame can take its place.
            let _ = content(&broken);
            create(broken.fresh(Plan::NEVER).1).unwrap();
            assert_eq!(content(&broken).unwrap(), new, "{place}: once more");
            tally.faults += 1;
        }
    }
    tally.operations += faults.count();
    for (name, step) in steps {
        if name == RECOVER {
            good.litter();
        }
        fail_step(&good, &format!("{what}, {name}"), step, &mut tally);
    }
    println!("faults: {what}: {tally:?}");
    let Tally { faults, kept, .. } = tally;
    assert!(faults > 1400 && kept > 500 && kept < faults);
}

fn create_frame<S: FrameStoreMut>(store: S) -> Result<()> {
    FrameWriter::create_in(store, frame_params())?
        .finish()
        .map(drop)
}

fn create_array<S: FrameStoreMut>(store: S) -> Result<()> {
    let params = array_params();
    let writer = FrameWriter::create_in(store, params.frame_params()?)?;
    let array = Array::from_bytes_in(writer, &noise(10 * 9 * 4, 7), &params)?;
    array.into_inner().unwrap().finish().map(drop)
}

#[test]
fn a_contiguous_frame_survives_every_fault() {
    fail_everywhere::<File>("contiguous", create_frame, frame_steps());
}

#[test]
fn a_sparse_frame_survives_every_fault() {
    fail_everywhere::<Folder>("sparse", create_frame, frame_steps());
}

#[test]
fn an_array_survives_every_fault() {
    fail_everywhere::<File>("array", create_array, array_steps());
}

#[test]
fn a_sparse_array_survives_every_fault() {
    fail_everywhere::<Folder>("sparse array", create_array, array_steps());
}

/// A writer that met a fault commits when the storage is well again: what it has then is a good
/// frame, and when it was the commit that failed, the new one.
fn go_on<D: Disk>(
    what: &str,
    create: fn(D::Store) -> Result<()>,
    steps: Vec<(&str, Step<D::Store>)>,
) {
    let disk = D::new();
    create(disk.fresh(Plan::NEVER).1).unwrap();
    let (mut steps_failed, mut commits_failed) = (0, 0);
    for (name, step) in steps {
        let good = disk.copy();
        let (operations, result) = run(&good, step, Plan::NEVER);
        result.unwrap();
        let new = content(&good).unwrap();
        for at in 0..operations {
            for (extent, kind) in [
                (Extent::Half, io::ErrorKind::StorageFull),
                (Extent::All, io::ErrorKind::Other),
            ] {
                let plan = Plan {
                    at,
                    extent,
                    kind,
                    for_good: false,
                };
                let broken = disk.copy();
                let (_, store) = broken.with(plan);
                let Ok(mut writer) =
                    store.and_then(|store| FrameWriter::open_in(store, DParams::new()))
                else {
                    continue;
                };
                writer.set_chunksize(400).unwrap();
                let place = format!("{what}, {name}, operation {at} of {operations}, {extent:?}");
                let stepped = step(&mut writer).is_ok();
                let committed = writer.commit().is_ok();
                if !committed {
                    let again = writer.commit();
                    again.unwrap_or_else(|error| panic!("{place}: again: {error}"));
                }
                drop(writer);
                let left = content(&broken)
                    .unwrap_or_else(|error| panic!("{place}: what is left: {error}"));
                assert!(!stepped || left == new, "{place}: not what was asked for");
                steps_failed += u64::from(!stepped);
                commits_failed += u64::from(!committed);
            }
        }
        run(&disk, step, Plan::NEVER).1.unwrap();
    }
    println!("faults: {what}: gone on after {steps_failed} steps and {commits_failed} commits");
    assert!(steps_failed > 20 && commits_failed > 20);
}

#[test]
fn a_writer_goes_on_after_a_fault() {
    go_on::<File>("contiguous", create_frame, frame_steps());
    go_on::<Folder>("sparse", create_frame, frame_steps());
    go_on::<File>("array", create_array, array_steps());
    go_on::<Folder>("sparse array", create_array, array_steps());
}

/// Every read of a reader, of parts and of arrays: a typed error, and right when asked again.
fn fail_reads<D: Disk>(what: &str) {
    let disk = D::new();
    create_array(disk.fresh(Plan::NEVER).1).unwrap();
    let bytes = noise(10 * 9 * 4, 7);
    let all = |store: D::Store| {
        let array = Array::open_in(FrameReader::open_in(store, DParams::new())?)?;
        array.check()?;
        let slice = array.slice_bytes(&[3..8, 5..9])?;
        assert_eq!(slice.len(), 5 * 4 * 4);
        array.slice_bytes(Selection::points(&[[0, 0], [9, 8]]))?;
        let whole = array.to_bytes()?;
        read(array.into_inner().unwrap().into_store())?;
        Ok(whole)
    };
    let (faults, store) = disk.with(Plan::NEVER);
    assert_eq!(all(store.unwrap()).unwrap(), bytes);
    let operations = faults.count();
    assert!(operations > 40, "{operations}");
    for at in 0..operations {
        for plan in Plan::all(at) {
            let (_, store) = disk.with(plan);
            match store.and_then(all) {
                Err(error) => typed(&error, plan, what),
                Ok(_) => panic!("{what}, operation {at}, {plan:?}: no error"),
            }
        }
    }
    // The same reader after a fault.
    for at in 0..operations {
        let plan = Plan {
            at,
            ..Plan::all(at).next().unwrap()
        };
        let (faults, store) = disk.with(plan);
        let reader = store.and_then(|store| FrameReader::open_in(store, DParams::new()));
        let Ok(array) = reader.and_then(Array::open_in) else {
            continue;
        };
        while faults.count() <= at {
            let some = array.to_bytes();
            assert!(some.is_err() || some.unwrap() == bytes, "operation {at}");
        }
        assert_eq!(array.to_bytes().unwrap(), bytes, "operation {at}");
    }
    println!(
        "faults: {what}: {operations} reads, each in {} ways",
        WAYS.len() + 1
    );
}

#[test]
fn reads_fail_typed_and_succeed_again() {
    fail_reads::<File>("contiguous");
    fail_reads::<Folder>("sparse");
}

/// With `in_place`, a fault may cost the frame; what is left is an error or a frame, not a panic.
#[test]
fn faults_in_place_are_typed() {
    let mut faults = 0;
    let disk = File::new();
    create_frame(disk.fresh(Plan::NEVER).1).unwrap();
    let run = |disk: &File, step: Step<<File as Disk>::Store>, plan: Plan| {
        let (faults, store) = disk.with(plan);
        let result = store.and_then(|store| {
            let mut writer = FrameWriter::open_in(store, DParams::new())?;
            writer.set_chunksize(400)?;
            writer.set_in_place(true)?;
            step(&mut writer)?;
            writer.commit()
        });
        (faults.count(), result)
    };
    for (name, step) in frame_steps() {
        let (operations, result) = run(&disk.copy(), step, Plan::NEVER);
        result.unwrap();
        for at in 0..operations {
            for plan in Plan::all(at) {
                let broken = disk.copy();
                if let Err(error) = run(&broken, step, plan).1 {
                    typed(&error, plan, name);
                }
                let _ = content(&broken);
                faults += 1;
            }
        }
        run(&disk, step, Plan::NEVER).1.unwrap();
        content(&disk).unwrap();
    }
    println!("faults: in place: {faults}");
    assert!(faults > 2000);
}

/// A source of bytes that gives few at a time and is interrupted in between.
struct Trickle<'a>(&'a [u8], usize);

impl io::Read for Trickle<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(2) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = buf.len().min(1 + self.1 % 7).min(self.0.len());
        buf[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

#[test]
fn short_and_interrupted_reads_are_gone_on_with() {
    let params = array_params();
    let bytes = noise(10 * 9 * 4, 9);
    let frame = || FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let array = Array::from_reader_in(frame(), Trickle(&bytes, 0), &params).unwrap();
    assert_eq!(array.to_bytes().unwrap(), bytes);
    let short = Trickle(&bytes[..bytes.len() - 1], 0);
    let error = Array::from_reader_in(frame(), short, &params)
        .map(drop)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
}
