//! Which inputs are read, and how?

pub mod bad_files;
pub mod bad_input;
pub mod boilerplate;
pub mod changing;
pub mod compressed;
pub mod fields;
pub mod inputs;
pub mod long_lines;
pub mod other_formats;
pub mod pages;
pub mod parquet;
pub mod warc;
