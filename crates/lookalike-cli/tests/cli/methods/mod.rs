//! How do methods other than the exact one find pairs?

mod comparators;
mod signatures;
