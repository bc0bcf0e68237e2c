//! See the header; to be filled.
