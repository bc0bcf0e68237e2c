//! Storages: their contract, storages that fail, processes that stop at any moment, and processes
//! that use one frame at the same time.

mod contract;
mod crash;
mod faults;
mod locking;
mod requests;
