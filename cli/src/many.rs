//! Several inputs in one call.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::args::{CompressArgs, ConvertArgs, DecompressArgs, PlaceArgs};
use crate::failure::{Failure, InFile, is_dash};
use crate::progress::complain;
use crate::source::is_same;

/// Runs a command for each input. A failure is printed, and the others are done all the same; the
/// last one is returned.
pub(crate) fn each<T>(
    inputs: &[T],
    mut run: impl FnMut(&T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut failed = None;
    for input in inputs {
        match run(input) {
            Ok(()) => {}
            // A reader that has enough of one output wants no other.
            Err(Failure::Enough) => return Err(Failure::Enough),
            Err(failure) => {
                if let Some(before) = failed.replace(failure) {
                    complain(&before);
                }
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// The options of a command that takes several inputs and runs for one.
pub(crate) trait OfEach: Clone {
    /// All inputs, the output as given, and the places of both.
    fn given(&self) -> (&[PathBuf], Option<&PathBuf>, &PlaceArgs);
    /// Sets the one input, its output, and the places.
    fn set(&mut self, input: PathBuf, output: Option<PathBuf>, place: PlaceArgs);
}

/// Options with the fields `inputs`, `input`, `output` and `place`.
macro_rules! of_each {
    ($($args:ty),*) => {$(
        impl OfEach for $args {
            fn given(&self) -> (&[PathBuf], Option<&PathBuf>, &PlaceArgs) {
                (&self.inputs, self.output.as_ref(), &self.place)
            }

            fn set(&mut self, input: PathBuf, output: Option<PathBuf>, place: PlaceArgs) {
                (self.input, self.output, self.place) = (input, output, place);
            }
        }
    )*};
}

of_each!(CompressArgs, DecompressArgs);

impl OfEach for ConvertArgs {
    fn given(&self) -> (&[PathBuf], Option<&PathBuf>, &PlaceArgs) {
        self.compress.given()
    }

    fn set(&mut self, input: PathBuf, output: Option<PathBuf>, place: PlaceArgs) {
        self.compress.set(input, output, place);
    }
}

/// Runs a command for every input.
pub(crate) fn all<T: OfEach>(
    args: &T,
    run: impl Fn(&T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (inputs, output, place) = args.given();
    let (output, place) = places(inputs, output, place)?;
    each(inputs, |input| {
        let mut one = args.clone();
        one.set(input.clone(), output.clone(), place.clone());
        removing(&place, input, || run(&one))
    })
}

/// The one output, or the directory for outputs with default names.
fn places(
    inputs: &[PathBuf],
    output: Option<&PathBuf>,
    place: &PlaceArgs,
) -> Result<(Option<PathBuf>, PlaceArgs), Failure> {
    let mut place = place.clone();
    if place.rm && inputs.iter().any(|input| is_dash(input)) {
        return Err(Failure::usage("--rm: standard input cannot be removed"));
    }
    let Some(output) = output else {
        return Ok((place.stdout.then(|| "-".into()), place));
    };
    let is_folder = output.as_os_str().as_encoded_bytes().ends_with(b"/")
        || inputs.len() > 1 && output.is_dir();
    if !is_folder {
        if inputs.len() > 1 && !is_dash(output) {
            let what = "several inputs want a directory: -o DIR/";
            return Err(Failure::usage(what));
        }
        return Ok((Some(output.clone()), place));
    }
    fs::create_dir_all(output).in_file(output)?;
    place.folder = Some(output.clone());
    Ok((None, place))
}

impl PlaceArgs {
    /// A default name, in the directory for outputs if there is one.
    pub(crate) fn put(&self, name: PathBuf) -> PathBuf {
        match (&self.folder, name.file_name()) {
            (Some(folder), Some(file)) => folder.join(file),
            _ => name,
        }
    }
}

/// Runs a command and removes its input, if that is asked for: a file that is still the one it was,
/// so that an output in the place of its input stays.
fn removing(
    place: &PlaceArgs,
    input: &Path,
    run: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    if !place.rm {
        return run();
    }
    let before = fs::metadata(input).in_file(input)?;
    if !before.is_file() {
        return Err(Failure::usage(
            "--rm removes files, no directories and no devices",
        ));
    }
    run()?;
    let now = fs::metadata(input).in_file(input)?;
    if is_replaced(&before, &now) {
        return Err(Failure::in_file(
            input,
            "is the output as well, and is not removed",
        ));
    }
    fs::remove_file(input).in_file(input)
}

/// Whether a path has another file than before.
fn is_replaced(before: &Metadata, now: &Metadata) -> bool {
    let changed = before.modified().ok() != now.modified().ok() || before.len() != now.len();
    changed || cfg!(unix) && !is_same(before, now)
}
