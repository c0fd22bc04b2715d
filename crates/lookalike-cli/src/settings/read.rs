//! How are the documents of the inputs read?

use lookalike::engine::{PageRule, Recipe, SiteRule};
use lookalike_engine::{Collector, Error};
use lookalike_io::spill::Space;
use lookalike_io::{Fields, Source};

use crate::args::{ReadArgs, RowArgs};

impl ReadArgs {
    /// Refuses options that no input can use: a text field where no input has fields, a page rule where no input is a page.
    pub fn check(&self, inputs: &[Source]) -> Result<(), Error> {
        let flag = if self.rows.html.is_some() { "--html" } else { "--text" };
        let has_no_text_field = |input: &Source| input.format().is_pages() || !input.format().has_fields();
        if (self.rows.html.is_some() || !self.rows.text.is_empty()) && inputs.iter().all(has_no_text_field) {
            let format = inputs.first().map_or("text", |input| input.format().name());
            return Err(Error::Usage(format!(
                "{flag} names a field, but inputs in the format {format} have no text fields; \
                 if they have another format, name it with --format"
            )));
        }
        if self.page.is_some() && self.rows.html.is_none() && !inputs.iter().any(|input| input.format().is_pages()) {
            return Err(Error::Usage(
                "--page is for web pages, but no input has any; name their field with --html FIELD, or use --format html or \
                 --format warc"
                    .to_string(),
            ));
        }
        Ok(())
    }

    pub fn collector(&self, key: Option<&str>, within: &[String]) -> Result<Collector, Error> {
        let collector = self.rows.collector();
        let collector = Collector {
            fields: Fields { key: key.map(String::from), within: within.to_vec(), ..collector.fields },
            page: self.page.unwrap_or_default(),
            recipe: Recipe { tokens: self.tokens, case: self.case.into(), bag: self.bag },
            ..collector
        };
        collector.without(self.without.table()?)
    }
}

impl RowArgs {
    /// Reads documents with the default tokens and without limits.
    pub fn collector(&self) -> Collector {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Collector {
            fields: Fields::of(&self.text, self.html.as_ref(), self.url.as_ref(), self.id.as_ref()),
            page: PageRule::default(),
            without: None,
            recipe: Recipe::default(),
            max_document: self.max_document,
            strict: self.strict,
            threads: self.threads.map_or(cores, usize::from),
            hash_texts: false,
            edit: None,
            signing: None,
            verifies: false,
            samples: false,
            site: SiteRule::default(),
            memory: None,
            space: Space::default(),
        }
    }
}
