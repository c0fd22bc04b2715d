//! What lies in temporary files because it does not fit in memory, and how it is compared tile by tile.

#[cfg(test)]
mod tests;
mod text_file;
mod text_tiles;
mod tiles;

pub(crate) use text_file::{TextFileWriter, bytes_of_text};
pub(crate) use text_tiles::{TextTiles, TextsOnDisk};
pub(crate) use tiles::{Alike, Tiled, Tiles, in_join};
