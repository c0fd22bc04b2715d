/// Which fields of a row mean what.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// The text, of several fields one after another.
    pub text: Vec<String>,
    /// Whether that text is a web page.
    pub is_page: bool,
    /// The page's address; by default that of the record, in a web archive.
    pub url: Option<String>,
    /// The id; by default a field `id`, if there is one, else the address.
    pub id: Option<String>,
    /// The value that decides who is kept.
    pub key: Option<String>,
    /// Those that documents must agree in to be compared.
    pub within: Vec<String>,
    /// The site of a page.
    pub site: Option<String>,
}

impl Fields {
    /// Every field once: the text, then the id, then the others.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let more = self.url.iter().chain(&self.key).chain(&self.within).chain(&self.site);
        for name in self.text.iter().chain([self.id_name()]).chain(more) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    pub(super) fn id_name(&self) -> &String {
        static DEFAULT: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "id".to_string());
        self.id.as_ref().unwrap_or(&DEFAULT)
    }

    /// Those beside the text that the user asked for by name; the key only if it is needed.
    pub(super) fn named(&self, needs_key: bool) -> impl Iterator<Item = &String> {
        let key = self.key.as_ref().filter(|_| needs_key);
        self.id.iter().chain(&self.url).chain(key).chain(&self.within).chain(&self.site)
    }

    /// Whether the user asked for this field by name, so that a file with columns must have it (the key only if it is an input).
    pub(super) fn is_required(&self, name: &str, is_input: bool) -> bool {
        self.text.iter().chain(self.named(is_input)).any(|field| field == name)
    }
}
