//! Checks the pages of a column before the `parquet` crate decodes them.
//!
//! Some numbers in a page decide how much memory the crate allocates. The crate trusts them, and a failed allocation aborts the process,
//! which no caller can catch. So this module compares them with the size of the page. Two are out of reach: the decompressed size of a
//! page (at most 2 GiB), and the second count of a DELTA_BYTE_ARRAY page, which follows encoded data.

use ::parquet::basic::{Encoding, Type as Physical};
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::schema::types::ColumnDescPtr;

use super::guard::{Result, error};

/// The pages of a column, each checked.
pub(super) struct Checked {
    pages: Box<dyn PageReader>,
    column: ColumnDescPtr,
}

impl Checked {
    pub fn new(pages: Box<dyn PageReader>, column: ColumnDescPtr) -> Self {
        Checked { pages, column }
    }

    fn check(&self, page: &Page) -> Result<()> {
        let claimed = u64::from(page.num_values());
        if let Page::DictionaryPage { buf, .. } = page {
            let smallest = match self.column.physical_type() {
                Physical::BOOLEAN => 1,
                Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 4,
                Physical::INT64 | Physical::DOUBLE => 8,
                Physical::INT96 => 12,
                Physical::FIXED_LEN_BYTE_ARRAY => self.column.type_length().max(0) as u64,
            };
            if claimed * smallest > buf.len() as u64 {
                return Err(error(format!("a dictionary page is too short for its {claimed} values")));
            }
        } else if let Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY = page.encoding() {
            let counted = self.values(page).and_then(delta_count);
            if counted.is_some_and(|counted| counted > claimed) {
                return Err(error(format!("a page encodes more than the {claimed} values that it declares")));
            }
        }
        Ok(())
    }

    /// The part of a data page after its levels. `None` if the levels have an old encoding.
    fn values<'p>(&self, page: &'p Page) -> Option<&'p [u8]> {
        let start = match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len)
            }
            Page::DataPage { buf, def_level_encoding, rep_level_encoding, .. } => {
                let mut start = 0;
                for (max, encoding) in [
                    (self.column.max_rep_level(), rep_level_encoding),
                    (self.column.max_def_level(), def_level_encoding),
                ] {
                    if max > 0 {
                        if *encoding != Encoding::RLE {
                            return None;
                        }
                        let at = usize::try_from(start).ok()?;
                        let length = buf.get(at..at.checked_add(4)?)?;
                        start += 4 + u64::from(u32::from_le_bytes(length.try_into().ok()?));
                    }
                }
                start
            }
            Page::DictionaryPage { .. } => return None,
        };
        page.buffer().get(usize::try_from(start).ok()?..)
    }
}

/// The third number of a DELTA_BINARY_PACKED header: how many values follow.
fn delta_count(header: &[u8]) -> Option<u64> {
    let mut bytes = header.iter();
    let mut number = || {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = *bytes.next()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    };
    number()?;
    number()?;
    number()
}

impl PageReader for Checked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        loop {
            let page = self.pages.get_next_page()?;
            if let Some(page) = &page {
                self.check(page)?;
                // Skip empty data pages: `read_records` would take one for the end of the column.
                if page.is_data_page() && page.num_values() == 0 {
                    continue;
                }
            }
            return Ok(page);
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for Checked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ::parquet::column::reader::ColumnReaderImpl;
    use ::parquet::data_type::{ByteArrayType, DataType, Int32Type};
    use ::parquet::schema::parser::parse_message_type;
    use ::parquet::schema::types::SchemaDescriptor;

    use super::super::leaf::Leaf;
    use super::*;

    /// A fixed list of pages.
    struct Given(Vec<Page>);

    impl Iterator for Given {
        type Item = Result<Page>;
        fn next(&mut self) -> Option<Self::Item> {
            self.get_next_page().transpose()
        }
    }

    impl PageReader for Given {
        fn get_next_page(&mut self) -> Result<Option<Page>> {
            Ok((!self.0.is_empty()).then(|| self.0.remove(0)))
        }
        fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
            Ok((!self.0.is_empty()).then_some(PageMetadata { num_rows: None, num_levels: None, is_dict: false }))
        }
        fn skip_next_page(&mut self) -> Result<()> {
            unreachable!("no test skips a page")
        }
    }

    fn leaf<T: DataType>(field: &str, pages: Vec<Page>, rows: usize) -> Leaf<T> {
        let root = parse_message_type(&format!("message m {{ {field}; }}")).unwrap();
        let column = SchemaDescriptor::new(Arc::new(root)).column(0);
        let pages = Checked::new(Box::new(Given(pages)), column.clone());
        let reader = ColumnReaderImpl::new(column.clone(), Box::new(pages));
        Leaf::new(reader, column, rows)
    }

    fn page(buf: Vec<u8>, num_values: u32, encoding: Encoding) -> Page {
        Page::DataPage {
            buf: buf.into(),
            num_values,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        }
    }

    #[test]
    fn empty_pages_do_not_end_a_column() {
        let one = |value: i32| page(value.to_le_bytes().to_vec(), 1, Encoding::PLAIN);
        let none = || page(vec![], 0, Encoding::PLAIN);
        let pages = vec![none(), one(1), none(), none(), one(2), none()];
        let mut leaf = leaf::<Int32Type>("required int32 a", pages, 2);
        assert_eq!(leaf.next().unwrap().unwrap().values, [1, 2]);
        assert!(leaf.next().unwrap().is_none());
    }

    #[test]
    fn the_last_list_before_an_empty_page_counts() {
        // Repetition levels 0 1 0 and definition levels 1 1 1.
        let mut data = vec![2, 0, 0, 0, 3, 0b010, 2, 0, 0, 0, 3, 0b111];
        data.extend([7i32, 8, 9].iter().flat_map(|value| value.to_le_bytes()));
        let none = vec![0, 0, 0, 0, 0, 0, 0, 0];
        let pages = vec![page(data, 3, Encoding::PLAIN), page(none, 0, Encoding::PLAIN)];
        let mut leaf = leaf::<Int32Type>("repeated int32 a", pages, 2);
        let run = leaf.next().unwrap().unwrap();
        assert_eq!((run.records, &run.values[..]), (2, &[7, 8, 9][..]));
        assert!(leaf.next().unwrap().is_none());
    }

    #[test]
    fn counts_that_a_page_has_no_room_for_are_errors() {
        let dictionary = Page::DictionaryPage {
            buf: vec![0; 40].into(),
            num_values: 2_000_000_000,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        // A block of 128 values in 4 parts, followed by a value count that is far too large.
        let many = [&[128, 1, 4], &[0xff; 7][..], &[0x7f, 0, 0]].concat();
        let delta = page(many, 5, Encoding::DELTA_LENGTH_BYTE_ARRAY);
        for page in [dictionary, delta] {
            let mut leaf = leaf::<ByteArrayType>("required binary a", vec![page], 5);
            assert!(leaf.next().is_err());
        }
    }
}
