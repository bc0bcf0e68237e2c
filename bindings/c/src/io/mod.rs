//! I/O: files, mapped files, the callbacks of users, and paths.

pub(crate) mod backend;
mod mapping;
mod mmap;
mod paths;
mod registered;
mod stdio;

pub use mmap::{
    blosc2_stdio_mmap_close, blosc2_stdio_mmap_destroy, blosc2_stdio_mmap_open,
    blosc2_stdio_mmap_read, blosc2_stdio_mmap_size, blosc2_stdio_mmap_truncate,
    blosc2_stdio_mmap_write,
};
pub use paths::{blosc2_remove_dir, blosc2_remove_urlpath, blosc2_rename_urlpath};
pub(crate) use paths::{local_path, plain_path};
pub(crate) use registered::callbacks;
pub use registered::{blosc2_get_io_cb, blosc2_register_io_cb};
pub use stdio::{
    blosc2_stdio_close, blosc2_stdio_destroy, blosc2_stdio_open, blosc2_stdio_read,
    blosc2_stdio_size, blosc2_stdio_truncate, blosc2_stdio_write,
};
