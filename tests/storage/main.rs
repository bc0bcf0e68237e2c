//! Storages: their contract, storages that fail, and processes that stop at any moment.

mod contract;
mod crash;
mod faults;
