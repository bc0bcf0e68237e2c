//! Plays a script on a disk that crashes between any two writes.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use oxiblosc::b2nd::Array;
use oxiblosc::frame::{Durability, FrameStoreMut};
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::{DParams, FrameParams, FrameWriter};

use super::disk::Disk;
use super::script::{
    Content, Named, Random, Tidy, array_params, array_steps, frame_params, frame_steps,
    vlblock_steps,
};

/// The scenario, and how thoroughly it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Play {
    pub(crate) seed: u64,
    pub(crate) sync: Durability,
    pub(crate) in_place: bool,
    /// The most states of one kind in one stretch.
    pub(crate) most: usize,
}

/// Called with a state, what was there before the step, and what is after it.
pub(crate) type Visit<'v, D> = &'v mut dyn FnMut(&<D as Disk>::State, &Content, &Content, &str);

/// Plays all scripts; returns the number of different states.
pub(crate) fn play_all<D: Disk>(play: Play, visit: Visit<'_, D>) -> u64
where
    FrameWriter<D::Store>: Tidy,
{
    let frame = frame_params();
    let array = array_params();
    let begin_array = |writer: &mut FrameWriter<D::Store>| {
        Array::zeros_in(writer, &array_params()).unwrap();
    };
    play_one::<D>(play, frame.clone(), |_| {}, &frame_steps(), visit)
        + play_one::<D>(play, frame, |_| {}, &vlblock_steps(), visit)
        + play_one::<D>(
            play,
            array.frame_params().unwrap(),
            begin_array,
            &array_steps(),
            visit,
        )
}

/// A frame without chunks and with a trailer that no sector holds.
pub(crate) fn play_large_trailer<D: Disk>(
    play: Play,
    large: VlMetalayers,
    visit: Visit<'_, D>,
) -> u64
where
    FrameWriter<D::Store>: Tidy,
{
    let mut params = frame_params();
    params.vlmetalayers = large;
    let steps: Vec<_> = frame_steps().into_iter().rev().take(3).rev().collect();
    play_one::<D>(play, params, |_| {}, &steps, visit)
}

fn play_one<D: Disk>(
    play: Play,
    params: FrameParams,
    begin: impl FnOnce(&mut FrameWriter<D::Store>),
    steps: &[Named<D::Store>],
    visit: Visit<'_, D>,
) -> u64
where
    D::Store: FrameStoreMut,
{
    let (disk, store) = D::new();
    let params = params.durability(play.sync).in_place(play.in_place);
    let mut writer = FrameWriter::create_in(store, params).unwrap();
    begin(&mut writer);
    writer.commit().unwrap();
    disk.events();
    let mut random = Random(play.seed);
    let hasher = RandomState::new();
    let mut states = 0;
    for (number, (name, step)) in steps.iter().enumerate() {
        let before = disk.state();
        let old = D::read(&before).unwrap();
        step(&mut writer, &mut random);
        writer.commit().unwrap();
        let events = disk.events();
        let new = D::read(&disk.state()).unwrap();
        let mut seen = HashSet::new();
        let mut check = |state: &D::State, how: &str| {
            if !seen.insert(hasher.hash_one(state)) {
                return;
            }
            let what = format!("step {number}, {name}, {how}");
            match D::read(state) {
                Ok(found) if found == old || found == new => {}
                Ok(_) => panic!("{what}: another frame"),
                Err(error) => panic!("{what}: {error}"),
            }
            states += 1;
            visit(state, &old, &new, &what);
        };
        D::crashes(
            &before,
            &events,
            play.sync,
            &mut random,
            play.most,
            &mut check,
        );
        // Every other commit, the frame is reopened.
        if random.below(2) == 0 {
            writer = FrameWriter::open_in(disk.open(), DParams::new()).unwrap();
            writer.set_durability(play.sync);
            writer.set_in_place(play.in_place).unwrap();
        }
    }
    states
}
