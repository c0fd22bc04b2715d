//! Turns a source of pairs into the rows of a table: all pairs in order, or the most similar.

mod announce;
mod best;
mod expand_groups;
mod group_members;
mod limit;
mod pair_rows;
mod row;
mod search;
mod source;
mod top;
mod values;

pub(crate) use announce::announce;
pub(crate) use expand_groups::{Expansion, PairsInOrder};
pub(crate) use group_members::GroupMembers;
pub(crate) use limit::{Limit, Selection};
pub(crate) use pair_rows::{Found, Hits};
pub(crate) use row::{Beside, PairColumns, PairRow, UNVERIFIED};
pub(crate) use search::{Search, Searched};
pub(crate) use source::{JobSource, Order};
