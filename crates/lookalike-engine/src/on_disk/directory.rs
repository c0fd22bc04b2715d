//! In which block of a file does a document lie?

/// The first document of each block of a file, and where the block begins. Documents are in ascending order.
#[derive(Default)]
pub(crate) struct Directory(Vec<(u32, u64)>);

impl Directory {
    /// Adds a document. It begins a block if there is a position.
    pub(crate) fn add(&mut self, document: u32, position: Option<u64>) {
        self.0.extend(position.map(|position| (document, position)));
    }

    /// The blocks with some documents, which are ascending: for each where it begins, its first document, and which of them it has.
    pub(crate) fn blocks_of<'a>(&'a self, documents: &'a [u32]) -> impl Iterator<Item = (u64, u32, &'a [u32])> {
        let mut left = documents;
        std::iter::from_fn(move || {
            let number = self.0.partition_point(|(first, _)| first <= left.first().unwrap_or(&0)).checked_sub(1)?;
            let end = self.0.get(number + 1).map_or(u32::MAX, |(end, _)| *end);
            let (own, behind) = left.split_at(left.partition_point(|&document| document < end));
            left = behind;
            let (first, position) = self.0[number];
            (!own.is_empty()).then_some((position, first, own))
        })
    }
}
