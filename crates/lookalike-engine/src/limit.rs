/// Leaves out pairs of documents that have enough of them.
pub(crate) struct Limit {
    most: Option<u32>,
    counts: Vec<u32>,
    left_out: u64,
}

impl Limit {
    /// At most so many for each of so many documents, if there is a limit.
    pub(crate) fn new(most: Option<u32>, documents: usize) -> Limit {
        Limit { most, counts: if most.is_some() { vec![0; documents] } else { Vec::new() }, left_out: 0 }
    }

    /// Whether a pair is let through; it then counts for both of its documents.
    pub(crate) fn allows(&mut self, a: u32, b: u32) -> bool {
        let Some(most) = self.most else { return true };
        let pair = [a as usize, b as usize];
        let allowed = pair.iter().all(|&document| self.counts[document] < most);
        if allowed {
            pair.iter().for_each(|&document| self.counts[document] += 1);
        } else {
            self.left_out += 1;
        }
        allowed
    }

    /// How many were not let through.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }
}
