//! Output: a file that appears only when it is complete, or standard output.
//!
//! A file is written under a temporary name beside its target, synced, and renamed. Until then
//! the target keeps what it had; when the run fails, the temporary file is removed.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::failure::{Failure, InFile, is_dash};
use crate::interrupt::Temporary;
use crate::progress::say;

/// A target for bytes written one after the other, or at any position.
#[derive(Debug)]
pub(crate) enum Output {
    /// A new file, not yet under its name.
    File {
        temp: NamedTempFile,
        /// The name as given, for messages.
        name: PathBuf,
        /// The path after following links.
        target: PathBuf,
        force: bool,
        /// Dropped last.
        guard: Temporary,
    },
    /// A device or a pipe that exists.
    Special { file: File, name: PathBuf },
    /// Standard output.
    Stdout,
}

impl Output {
    /// Prepares to write `target`; an existing file is refused without `force`.
    pub(crate) fn create(target: &Path, force: bool) -> Result<Self, Failure> {
        if is_dash(target) {
            drop(stdout()?);
            return Ok(Self::Stdout);
        }
        // A link stays a link; what it points at is replaced.
        let name = target.to_owned();
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        if let Ok(metadata) = fs::metadata(&target) {
            if metadata.is_dir() {
                return Err(Failure::in_file(&name, "is a directory"));
            }
            if !metadata.is_file() {
                let file = File::options().write(true).open(&target).in_file(&name)?;
                return Ok(Self::Special { file, name });
            }
            if !force {
                return Err(exists(&name));
            }
        }
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let temp = temporary().tempfile_in(folder).in_file(&name)?;
        Ok(Self::File {
            guard: Temporary::new(temp.path()),
            temp,
            name,
            target,
            force,
        })
    }

    /// A temporary file without a name, for a part of `target`; and the same file, to read it.
    pub(crate) fn temporary(target: &Path) -> Result<(Self, File), Failure> {
        let file = tempfile::tempfile().in_file(target)?;
        let copy = file.try_clone().in_file(target)?;
        let name = target.to_owned();
        Ok((Self::Special { file, name }, copy))
    }

    /// Gives a new file the permissions of the input, as compressors do; a file that is replaced
    /// keeps its own.
    pub(crate) fn take_mode(&self, input: Option<fs::Metadata>) {
        let Self::File { temp, target, .. } = self else {
            return;
        };
        let kept = fs::metadata(target).ok().or(input);
        if cfg!(unix)
            && let Some(metadata) = kept.filter(fs::Metadata::is_file)
        {
            // Where permissions cannot be set, the file has those of any new file.
            let _ = temp.as_file().set_permissions(metadata.permissions());
        }
    }

    /// Whether people see it at once.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Stdout) && io::stdout().is_terminal()
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> &Path {
        match self {
            Self::File { name, .. } | Self::Special { name, .. } => name,
            Self::Stdout => Path::new("standard output"),
        }
    }

    /// Puts the file under its name, after everything has been written.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::File {
                temp,
                name,
                target,
                force,
                guard: _guard,
            } => {
                temp.as_file().sync_all().in_file(&name)?;
                if force {
                    temp.persist(&target)
                        .map_err(|error| error.error)
                        .in_file(&name)?;
                } else {
                    temp.persist_noclobber(&target)
                        .map_err(|error| match error.error.kind() {
                            io::ErrorKind::AlreadyExists => exists(&name),
                            _ => Failure::in_file(&name, error.error),
                        })?;
                }
                sync_folder(&target);
                Ok(())
            }
            Self::Special { mut file, name } => file.flush().in_file(&name),
            Self::Stdout => io::stdout().flush().in_file(Path::new("standard output")),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File { temp, .. } => temp.as_file_mut().write(bytes),
            Self::Special { file, .. } => file.write(bytes),
            Self::Stdout => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File { temp, .. } => temp.as_file_mut().flush(),
            Self::Special { file, .. } => file.flush(),
            Self::Stdout => io::stdout().flush(),
        }
    }
}

/// The input, when it is a file.
pub(crate) fn input_metadata(input: &Path) -> Option<fs::Metadata> {
    fs::metadata(input).ok().filter(|_| !is_dash(input))
}

/// Warns when bytes that are no text are about to go to a terminal.
pub(crate) fn warn_binary(target: &Path) {
    if is_dash(target) && io::stdout().is_terminal() {
        say("oxiblosc: the terminal gets binary data; -o FILE or a pipe takes them elsewhere");
    }
}

/// Standard output, which must be open.
pub(crate) fn stdout() -> Result<io::StdoutLock<'static>, Failure> {
    let stdout = io::stdout().lock();
    if is_closed(&stdout) {
        let what = "is closed";
        return Err(Failure::in_file(Path::new("standard output"), what));
    }
    Ok(stdout)
}

/// Whether standard output was closed when the program began: Rust opens the null device for
/// reading and writing in its place then, and shells open it for writing only.
#[cfg(unix)]
fn is_closed(stdout: &io::StdoutLock<'_>) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let flags = rustix::fs::fcntl_getfl(stdout);
    let fd = stdout.as_fd().try_clone_to_owned();
    let open = fd.and_then(|fd| File::from(fd).metadata());
    let null = fs::metadata("/dev/null").map(|null| null.rdev());
    match (open, null) {
        (Ok(open), Ok(null)) => {
            open.rdev() == null
                && null != 0
                && flags.is_ok_and(|flags| flags.contains(rustix::fs::OFlags::RDWR))
        }
        (open, _) => open.is_err(),
    }
}

#[cfg(not(unix))]
fn is_closed(_: &io::StdoutLock<'_>) -> bool {
    false
}

/// A temporary file with the permissions of any new file.
fn temporary() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".oxiblosc-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's umask takes its share, as with any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

pub(crate) fn exists(target: &Path) -> Failure {
    Failure::in_file(target, "exists already; -f replaces it")
}

/// Makes the new name survive a loss of power, where folders can be synced.
pub(crate) fn sync_folder(target: &Path) {
    if cfg!(unix)
        && let Some(folder) = target.parent()
    {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        // The file itself is safe by now; a folder that cannot be synced is no failure.
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
    }
}
