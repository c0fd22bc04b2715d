//! Divides sets into parts that can be compared separately, each small enough for memory.

use lookalike::engine::{Frequencies, JoinError, Memory, Progress, Roots, Sieve, Stage};
use lookalike_io::spill::Space;
use rayon::prelude::*;

use crate::error::Error;
use crate::external::budget::Shares;
use crate::external::postings::{Posting, Postings};
use crate::external::resume::Run;
use crate::external::whole::Whole;
use crate::on_disk::{SetFile, SetFileWriter, SetsOfBlock, set_bytes};

/// How sets are divided.
pub(in crate::external) struct Divide<'a> {
    pub(in crate::external) whole: &'a Whole,
    pub(in crate::external) space: &'a Space,
    pub(in crate::external) shares: &'a Shares,
    /// Where the parts are kept, if the run can continue later.
    pub(in crate::external) run: Option<&'a Run>,
    pub(in crate::external) progress: &'a dyn Progress,
}

/// The most parts. Each is a file.
const MOST: u64 = 400;
/// Elements of a slot of a sieve, at most.
const LOAD: f64 = 0.5;
/// The most ranges that elements are counted in.
const RANGES: f64 = 32.0;
/// Stands for a set that is in no part.
const NONE: u32 = u32::MAX;

impl Divide<'_> {
    /// Divides a file of sets. Sets without a partner are in no part.
    pub(in crate::external) fn run(&self, file: SetFile) -> Result<Vec<SetFile>, Error> {
        let parts = self.divide(file)?;
        self.run.map_or(Ok(()), |run| run.save_parts(&parts))?;
        Ok(parts)
    }

    fn divide(&self, mut file: SetFile) -> Result<Vec<SetFile>, Error> {
        if 8 * file.elements <= self.shares.part {
            return Ok(vec![file]);
        }
        let passes = 2 * self.ranges(&file) as usize + 3;
        let stage = Stage::begin(self.progress, "dividing", passes * file.sets as usize);
        let mut alive = vec![true; file.sets as usize];
        self.drop_singles(&mut file, &mut alive, &stage)?;
        let roots = Roots::new(alive.len());
        let sizes = self.link(&mut file, &mut alive, &roots, &stage)?;
        let (parts, count) = self.pack(&sizes, &alive, &roots);
        drop(sizes);
        self.distribute(file, &parts, count, &stage)
    }

    fn ranges(&self, file: &SetFile) -> u32 {
        (file.elements as f64 / (4.0 * self.shares.counters as f64 * LOAD)).ceil().clamp(1.0, RANGES) as u32
    }

    /// Drops the sets of which enough elements are in no other set.
    fn drop_singles(&self, file: &mut SetFile, alive: &mut [bool], stage: &Stage) -> Result<(), Error> {
        let ranges = self.ranges(file);
        let mut singles = vec![0; alive.len()];
        for range in 0..ranges {
            let sieve =
                Sieve::of_range(&Memory, self.shares.counters as usize, range, ranges).map_err(JoinError::from)?;
            for_each_set(file, stage, |_, _, set| sieve.add(set), |_, ()| Ok(()))?;
            let count = |_, _, set: &[u64]| (sieve.singles(set), set.len() as u32);
            for_each_set(file, stage, count, |index, (more, size)| {
                singles[index] += more;
                alive[index] = singles[index] < self.whole.singles_that_suffice(size);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Links sets that may be a pair. Returns the size of each set.
    fn link(&self, file: &mut SetFile, alive: &mut [bool], roots: &Roots, stage: &Stage) -> Result<Vec<u32>, Error> {
        let threads = rayon::current_num_threads();
        let counts = Frequencies::new(&Memory, self.shares.counters as usize, threads).map_err(JoinError::from)?;
        let (mut sizes, mut most) = (vec![0; alive.len()], 0);
        let is_alive = &*alive;
        let add = |index: usize, _: u32, set: &[u64]| {
            if is_alive[index] {
                counts.add(set);
            }
            set.len() as u32
        };
        for_each_set(file, stage, add, |index, size| {
            sizes[index] = size;
            most += u64::from(if is_alive[index] { self.whole.threshold.long_prefix(size) } else { 0 });
            Ok(())
        })?;
        let mut postings = Postings::new(self.space, most, self.shares.postings);
        let post =
            |index: usize, _: u32, set: &[u64]| if is_alive[index] { self.post(index, set, &counts) } else { None };
        let (mut dropped, mut needless) = (Vec::new(), None);
        for_each_set(file, stage, post, |index, found: Option<Vec<Posting>>| {
            match found {
                Some(found) => postings.push(&found)?,
                None => dropped.push(index),
            }
            // Sets that need nothing in common are all in one part.
            if self.whole.needs_nothing(sizes[index]) {
                roots.join(*needless.get_or_insert(index as u32), index as u32);
            }
            Ok(())
        })?;
        dropped.into_iter().for_each(|index| alive[index] = false);
        drop(counts);
        postings.link(&self.whole.threshold, roots)?;
        Ok(sizes)
    }

    /// The elements of a set's prefix that others have too. `None` if the set cannot have a partner.
    fn post(&self, index: usize, set: &[u64], counts: &Frequencies) -> Option<Vec<Posting>> {
        let size = set.len() as u32;
        let mut of_elements = Vec::with_capacity(set.len());
        counts.get(set, &mut of_elements);
        let singles = of_elements.iter().filter(|&&count| count <= 1).count() as u32;
        if singles >= self.whole.singles_that_suffice(size) {
            return None;
        }
        let mut ordered: Vec<(u8, u64)> = of_elements.into_iter().zip(set.iter().copied()).collect();
        let prefix = (self.whole.threshold.long_prefix(size) as usize).min(ordered.len());
        if prefix < ordered.len() {
            ordered.select_nth_unstable(prefix);
            ordered.truncate(prefix);
        }
        ordered.sort_unstable();
        let posting =
            |(position, (_, element)): (u32, (u8, u64))| Posting { element, size, set: index as u32, position };
        Some((0..).zip(ordered).skip(singles as usize).map(posting).collect())
    }

    /// Packs linked sets into parts. Returns the part of each set, and the number of parts.
    fn pack(&self, sizes: &[u32], alive: &[bool], roots: &Roots) -> (Vec<u32>, u32) {
        let mut bytes = vec![0u64; sizes.len()];
        let mut members = vec![0u32; sizes.len()];
        for index in (0..sizes.len()).filter(|&index| alive[index]) {
            let root = roots.find(index as u32) as usize;
            bytes[root] += set_bytes(sizes[index]);
            members[root] += 1;
        }
        let total: u64 = bytes.iter().zip(&members).filter(|(_, members)| **members > 1).map(|(bytes, _)| bytes).sum();
        let limit = self.shares.part.max(total / MOST);
        let (mut part, mut filled, mut parts) = (0, 0, members);
        for (root, bytes) in bytes.into_iter().enumerate() {
            if parts[root] <= 1 {
                parts[root] = NONE;
                continue;
            }
            if filled > 0 && filled + bytes > limit {
                (part, filled) = (part + 1, 0);
            }
            filled += bytes;
            parts[root] = part;
        }
        let count = if filled > 0 { part + 1 } else { 0 };
        for index in (0..sizes.len()).rev() {
            parts[index] = if alive[index] { parts[roots.find(index as u32) as usize] } else { NONE };
        }
        (parts, count)
    }

    /// Writes each part to its own file.
    fn distribute(&self, mut file: SetFile, parts: &[u32], count: u32, stage: &Stage) -> Result<Vec<SetFile>, Error> {
        let writer = |number: u32| match self.run {
            Some(run) => run.part_writer(number as usize),
            None => Ok(SetFileWriter::new(self.space)),
        };
        let files = (0..count).map(|number| Ok(writer(number)?.block(BLOCK)));
        let mut files: Vec<SetFileWriter> = files.collect::<Result<_, Error>>()?;
        let mut index = 0;
        file.for_each_block(|block| {
            stage.check().map_err(JoinError::from)?;
            for (document, set) in block.sets() {
                if parts[index] != NONE {
                    files[parts[index] as usize].put(document, set)?;
                }
                index += 1;
            }
            Ok(())
        })?;
        files.into_iter().map(SetFileWriter::finish).collect()
    }
}

/// Bytes of a block of a part. There may be many at once.
const BLOCK: usize = 1 << 16;

/// Calls `make` with the index, the document and the elements of every set on all threads, and `take` with the index and the result, in
/// order.
fn for_each_set<T: Send>(
    file: &mut SetFile,
    stage: &Stage,
    make: impl Fn(usize, u32, &[u64]) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut blocks: Vec<SetsOfBlock> = Vec::new();
    blocks.resize_with(4 * rayon::current_num_threads(), SetsOfBlock::default);
    let mut from = file.spooled.blocks()?;
    let mut index = 0;
    loop {
        let mut read = 0;
        while read < blocks.len() && blocks[read].read(&mut from)? {
            read += 1;
        }
        if read == 0 {
            return Ok(());
        }
        stage.check().map_err(JoinError::from)?;
        let mut end = index;
        let mut starts = Vec::with_capacity(read);
        for block in &blocks[..read] {
            starts.push(end);
            end += block.len();
        }
        let made: Vec<Vec<T>> = blocks[..read]
            .par_iter()
            .zip(starts)
            .map(|(block, start)| {
                (start..).zip(block.sets()).map(|(index, (document, set))| make(index, document, set)).collect()
            })
            .collect();
        stage.add(end - index);
        for result in made.into_iter().flatten() {
            take(index, result)?;
            index += 1;
        }
    }
}
