use hashbrown::HashTable;

/// Small numbers for the elements of the documents in the window, and how many of these have each.
#[derive(Default)]
pub(super) struct Dictionary {
    codes: HashTable<u32>,
    /// By code.
    elements: Vec<u64>,
    counts: Vec<u32>,
    /// Codes that nothing has any more.
    free: Vec<u32>,
}

impl Dictionary {
    /// The code of an element, if a document has it.
    pub(super) fn code(&self, element: u64) -> Option<u32> {
        self.codes.find(element, |&code| self.elements[code as usize] == element).copied()
    }

    /// One more document has this element.
    pub(super) fn take(&mut self, element: u64) -> u32 {
        if let Some(code) = self.code(element) {
            self.counts[code as usize] += 1;
            return code;
        }
        let code = match self.free.pop() {
            Some(code) => {
                self.elements[code as usize] = element;
                self.counts[code as usize] = 1;
                code
            }
            None => {
                self.elements.push(element);
                self.counts.push(1);
                self.elements.len() as u32 - 1
            }
        };
        // Elements are hashes already.
        self.codes.insert_unique(element, code, |&code| self.elements[code as usize]);
        code
    }

    /// One document less has it.
    pub(super) fn release(&mut self, code: u32) {
        let count = &mut self.counts[code as usize];
        *count -= 1;
        if *count == 0 {
            let element = self.elements[code as usize];
            if let Ok(entry) = self.codes.find_entry(element, |&other| other == code) {
                entry.remove();
            }
            self.free.push(code);
        }
    }

    /// By code, how many documents have it.
    pub(super) fn counts(&self) -> &[u32] {
        &self.counts
    }
}
