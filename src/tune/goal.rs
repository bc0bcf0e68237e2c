//! The goals of tuning.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// The wish that parameters are to meet.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The smallest files.
    Ratio,
    /// Small files, made and read at the speed of disks.
    #[default]
    Balanced,
    /// Files that are written once and read often.
    Read,
    /// Compression and decompression as fast as the fastest disks.
    Speed,
}

impl Goal {
    /// All goals.
    pub const ALL: &[Self] = &[Self::Ratio, Self::Balanced, Self::Read, Self::Speed];

    /// The name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Balanced => "balanced",
            Self::Read => "read",
            Self::Speed => "speed",
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Goal {
    type Err = Error;

    /// ```
    /// use oxiblosc::tune::Goal;
    /// assert_eq!("read".parse::<Goal>()?, Goal::Read);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.iter().find(|goal| goal.name() == name);
        found.copied().ok_or_else(|| Error::UnknownName {
            what: "goal",
            name: name.into(),
            expected: "ratio, balanced, read or speed",
        })
    }
}
