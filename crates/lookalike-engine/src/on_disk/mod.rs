//! What is in temporary files because it does not fit in memory, and how it is compared tile by tile.

mod directory;
mod set_file;
mod signature_file;
#[cfg(test)]
mod tests;
mod text_file;
mod text_tiles;
mod tiles;

pub(crate) use directory::Directory;
pub(crate) use set_file::{SetFile, SetFileWriter, SetsInFile, SetsOfBlock, put_set, set_bytes};
pub(crate) use signature_file::{Numbers, SignatureFile, SignatureFileWriter};
pub(crate) use text_file::{TextFileWriter, bytes_of_text};
pub(crate) use text_tiles::{TextTiles, TextsOnDisk};
pub(crate) use tiles::{Alike, Tiled, Tiles, in_join, join_tiles, load_common};
