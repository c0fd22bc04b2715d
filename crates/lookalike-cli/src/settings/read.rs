//! How are the documents of the inputs read?

use lookalike::engine::{PageRule, Recipe, SiteRule};
use lookalike_engine::{Collector, Error};
use lookalike_io::spill::Space;
use lookalike_io::{Fields, Source};

use crate::args::ReadArgs;

impl ReadArgs {
    /// Refuses options that no input can use: a text field where no input has fields, a page rule where no input is a page.
    pub fn check(&self, inputs: &[Source]) -> Result<(), Error> {
        let flag = if self.html.is_some() { "--html" } else { "--text" };
        let has_no_text_field = |input: &Source| input.format().is_pages() || !input.format().has_fields();
        if (self.html.is_some() || !self.text.is_empty()) && inputs.iter().all(has_no_text_field) {
            let format = inputs.first().map_or("text", |input| input.format().name());
            return Err(Error::Usage(format!(
                "{flag} names a field, but inputs in the format {format} have no text fields; \
                 if they have another format, name it with --format"
            )));
        }
        if self.page.is_some() && self.html.is_none() && !inputs.iter().any(|input| input.format().is_pages()) {
            return Err(Error::Usage(
                "--page is for web pages, but no input has any; name their field with --html FIELD, or use --format html or \
                 --format warc"
                    .to_string(),
            ));
        }
        Ok(())
    }

    pub fn collector(&self, key: Option<&str>, within: &[String]) -> Collector {
        let fields = fields(&self.text, self.html.as_ref(), self.url.as_ref(), self.id.as_ref());
        let fields = Fields { key: key.map(String::from), within: within.to_vec(), ..fields };
        Collector {
            page: self.page.unwrap_or_default(),
            recipe: Recipe { tokens: self.tokens, case: self.case.into(), bag: self.bag },
            ..collector(fields, self.max_document, self.strict, self.threads)
        }
    }
}

/// Returns what the fields mean.
pub fn fields(text: &[String], html: Option<&String>, url: Option<&String>, id: Option<&String>) -> Fields {
    Fields {
        text: match html {
            Some(html) => vec![html.clone()],
            None if text.is_empty() => vec!["text".to_string()],
            None => text.to_vec(),
        },
        is_page: html.is_some(),
        url: url.cloned(),
        id: id.cloned(),
        key: None,
        within: Vec::new(),
        site: None,
    }
}

/// Returns how to read documents, with the default tokens and without limits.
pub fn collector(fields: Fields, max_document: usize, strict: bool, threads: Option<u16>) -> Collector {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    Collector {
        fields,
        page: PageRule::default(),
        recipe: Recipe::default(),
        max_document,
        strict,
        threads: threads.map_or(cores, usize::from),
        hash_texts: false,
        keep_texts: false,
        signing: None,
        samples: false,
        site: SiteRule::default(),
        memory: None,
        space: Space::default(),
    }
}
