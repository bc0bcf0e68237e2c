//! Why a run ends early: one line, and an exit code.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Why a run ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for what does not go together: exit code 2.
    Usage(String),
    /// Bad data or a failing disk: exit code 1. The file, and what is wrong where.
    File { file: String, what: String },
    /// The reader of the output has enough: no failure, and nothing to say.
    Enough,
}

impl Failure {
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::Usage(what.into())
    }

    pub(crate) fn in_file(file: &Path, what: impl fmt::Display) -> Self {
        Self::File {
            file: shown(file),
            what: what.to_string(),
        }
    }

    /// An error of the library about a file.
    pub(crate) fn of(file: &Path, error: &oxiblosc::Error) -> Self {
        match error {
            oxiblosc::Error::LimitExceeded {
                limit, value, max, ..
            } => {
                let what = format!("{value} exceeds limit {limit} ({max}; --no-limits lifts it)");
                Self::in_file(file, what)
            }
            // The path, of this file or of one in this folder, comes once.
            oxiblosc::Error::InFile { path, source, .. } if file.starts_with(path) => {
                Self::of(file, source)
            }
            oxiblosc::Error::InFile { path, source, .. } if path.starts_with(file) => {
                Self::of(path, source)
            }
            oxiblosc::Error::Locked { .. } => Self::in_file(
                file,
                "another process is changing it (--wait waits for its end)",
            ),
            oxiblosc::Error::Stale { .. } => {
                Self::in_file(file, "another process changed it meanwhile")
            }
            _ => Self::in_file(file, error),
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::File { .. } => ExitCode::from(1),
            Self::Enough => ExitCode::SUCCESS,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(what) => f.write_str(what),
            Self::File { file, what } => write!(f, "{file}: {what}"),
            Self::Enough => f.write_str("the reader of the output has ended"),
        }
    }
}

/// Says in which file a result of the library or of the system went wrong.
pub(crate) trait InFile<T> {
    fn in_file(self, file: &Path) -> Result<T, Failure>;
}

/// Tells parameters of the command line that are wrong from a file that is.
pub(crate) trait OfParams<T> {
    fn of_params(self, file: &Path) -> Result<T, Failure>;
}

impl<T> OfParams<T> for Result<T, oxiblosc::Error> {
    fn of_params(self, file: &Path) -> Result<T, Failure> {
        self.map_err(|error| match error {
            oxiblosc::Error::InvalidParam { .. }
            | oxiblosc::Error::InvalidAxisParam { .. }
            | oxiblosc::Error::UnknownName { .. } => Failure::Usage(error.to_string()),
            _ => Failure::of(file, &error),
        })
    }
}

impl<T> InFile<T> for Result<T, oxiblosc::Error> {
    fn in_file(self, file: &Path) -> Result<T, Failure> {
        self.map_err(|error| Failure::of(file, &error))
    }
}

impl<T> InFile<T> for io::Result<T> {
    fn in_file(self, file: &Path) -> Result<T, Failure> {
        self.map_err(|error| match error.kind() {
            // Only pipes break, and only when written.
            io::ErrorKind::BrokenPipe => Failure::Enough,
            _ => Failure::in_file(file, error),
        })
    }
}

/// A path as messages show it.
pub(crate) fn shown(file: &Path) -> String {
    if is_dash(file) {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_dash(file: &Path) -> bool {
    file.as_os_str() == "-"
}
