//! Which fields of a row are the text, the id and so on?

/// The roles of the fields of a row.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// The text. Several fields are joined in this order.
    pub text: Vec<String>,
    /// Whether the text is a web page.
    pub is_page: bool,
    /// The page's URL. In a web archive, the default is the URL of the record.
    pub url: Option<String>,
    /// The id. The default is a field `id` if there is one, otherwise the URL.
    pub id: Option<String>,
    /// The value that decides which document is kept.
    pub key: Option<String>,
    /// The fields whose values must be equal for documents to be compared.
    pub within: Vec<String>,
    /// The site of a page.
    pub site: Option<String>,
}

impl Fields {
    /// A document is the page in `html` if that is given, otherwise the texts in these fields, by default in `text`.
    pub fn of(text: &[String], html: Option<&String>, url: Option<&String>, id: Option<&String>) -> Fields {
        let text = match html {
            Some(html) => vec![html.clone()],
            None if text.is_empty() => vec!["text".to_string()],
            None => text.to_vec(),
        };
        Fields { text, is_page: html.is_some(), url: url.cloned(), id: id.cloned(), ..Fields::default() }
    }

    /// Every field once: the text, then the id, then the others.
    pub(in crate::read) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let more = self.url.iter().chain(&self.key).chain(&self.within).chain(&self.site);
        for name in self.text.iter().chain([self.id_name()]).chain(more) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    pub(in crate::read) fn id_name(&self) -> &String {
        static DEFAULT: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "id".to_string());
        self.id.as_ref().unwrap_or(&DEFAULT)
    }

    /// The fields other than the text that the user named; the key only if it is needed.
    pub(in crate::read) fn named(&self, needs_key: bool) -> impl Iterator<Item = &String> {
        let key = self.key.as_ref().filter(|_| needs_key);
        self.id.iter().chain(&self.url).chain(key).chain(&self.within).chain(&self.site)
    }

    /// How to name another text, if this field is one of the text, for the end of a message.
    pub(in crate::read) fn advice(&self, name: &String) -> &'static str {
        match self.text.contains(name) {
            true if self.is_page => "; use --html to name the field of the page",
            true => "; use --text to name the text field",
            false => "",
        }
    }

    /// Whether the user named this field, so that a file with columns must have it. Only inputs need the key.
    pub(in crate::read) fn is_required(&self, name: &str, is_input: bool) -> bool {
        self.text.iter().chain(self.named(is_input)).any(|field| field == name)
    }
}
