//! Changes that are lost are reported: to a function that the parameters of a new file name, and to
//! the standard error of builds with debug assertions.
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{AnyWriter, FrameParams, FrameWriter, Lost};
use oxiblosc::{CParams, ErrorKind};

/// The path of the frame that a child process is to lose.
const PATH: &str = "OXIBLOSC_TEST_LOST";

fn noted() -> (
    Arc<Mutex<Vec<Lost>>>,
    impl Fn(&Lost) + Send + Sync + 'static,
) {
    let lost = Arc::<Mutex<Vec<Lost>>>::default();
    let seen = Arc::clone(&lost);
    (lost, move |what: &Lost| {
        seen.lock().unwrap().push(what.clone());
    })
}

fn frame_params() -> FrameParams {
    FrameParams::new(CParams::new(1), 1000)
}

#[test]
fn the_parameters_of_a_frame_name_the_function() {
    let dir = crate::common::folder();
    let path = dir.path().join("frame");
    for sparse in [false, true] {
        let (lost, hook) = noted();
        let params = frame_params().on_lost(hook);
        let mut writer = match sparse {
            false => AnyWriter::create(&path, params.clone()).unwrap(),
            true => AnyWriter::create_sparse(&path, params.clone()).unwrap(),
        };
        writer.append(&[7; 1500]).unwrap();
        drop(writer);
        assert!(!path.exists());
        assert_eq!(lost.lock().unwrap().len(), 1);
        assert_eq!(lost.lock().unwrap()[0].path, path);
        assert!(lost.lock().unwrap()[0].is_new);
        // One that is finished loses nothing; nor do frames in memory.
        let mut writer = AnyWriter::create(&path, params.clone()).unwrap();
        writer.append(&[7; 1500]).unwrap();
        writer.finish().unwrap();
        drop(FrameWriter::in_memory(params).unwrap());
        assert_eq!(lost.lock().unwrap().len(), 1);
        std::fs::remove_file(&path).unwrap();
    }
    // The function of the writer takes the place of that of the parameters.
    let ((first, hook), (second, later)) = (noted(), noted());
    let mut writer = FrameWriter::create(&path, frame_params().on_lost(hook)).unwrap();
    writer.on_lost(later);
    drop(writer);
    assert!(first.lock().unwrap().is_empty());
    assert_eq!(second.lock().unwrap().len(), 1);
}

#[test]
fn the_parameters_of_an_array_name_the_function() {
    let dir = crate::common::folder();
    let path = dir.path().join("array");
    let (lost, hook) = noted();
    let params = ArrayParams::new::<u8>([0, 3])
        .chunkshape([10, 3])
        .on_lost(hook);
    let mut array = Array::create(&path, &params).unwrap();
    array.append(&[1_u8, 2, 3]).unwrap();
    drop(array);
    assert!(!path.exists());
    assert_eq!(lost.lock().unwrap().len(), 1);
    // An array that cannot be made, of which the caller never had the writer.
    let mut params = params;
    params.shape = vec![20, 3];
    let mut calls = 0;
    let made = Array::from_fn_in(path.as_path(), &params, |_, _| {
        calls += 1;
        if calls > 1 {
            let source = std::io::Error::other("the input has ended");
            return Err(oxiblosc::Error::io(oxiblosc::Part::Document, None, source));
        }
        Ok(())
    });
    assert_eq!(made.unwrap_err().kind(), ErrorKind::Io);
    assert!(!path.exists());
    assert_eq!(lost.lock().unwrap().len(), 2);
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI starts no processes")]
fn builds_with_debug_assertions_say_it() {
    // The process that this test starts loses the frame.
    if let Some(path) = env::var_os(PATH) {
        let mut writer = FrameWriter::create(Path::new(&path), frame_params()).unwrap();
        writer.append(&[7; 1500]).unwrap();
        return;
    }
    let dir = crate::common::folder();
    let path = dir.path().join("forgotten");
    let done = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "lost::builds_with_debug_assertions_say_it",
            "--nocapture",
        ])
        .env(PATH, &path)
        .output()
        .unwrap();
    let (out, said) = (done.stdout, String::from_utf8(done.stderr).unwrap());
    assert!(done.status.success(), "{said}");
    assert!(String::from_utf8(out).unwrap().contains("1 passed"));
    let line = format!(
        "oxiblosc: {}: a new frame dropped without commit() or finish()",
        path.display()
    );
    let times = said.lines().filter(|&found| found == line).count();
    assert_eq!(times, usize::from(cfg!(debug_assertions)), "{said}");
    assert!(!path.exists());
}
