//! How are sets compared that do not fit in memory together? Part by part, and a part that is still too large tile by tile.

mod divide;
mod part;
mod tiles;

pub(super) use divide::Divide;
pub(super) use part::Part;
pub(super) use tiles::SetTiles;
