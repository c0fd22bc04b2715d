//! A method that compares signatures, in the words of the command.

use std::borrow::Cow;
use std::ffi::OsString;

use lookalike::Threshold;
use lookalike::engine::{Node, SiteRule, hash_set, hash_token, node_of};
use lookalike_cli::{SignedMethod, signed_method};
use lookalike_engine::{SignatureKeys, Signed, Signing, Verify};
use lookalike_io::extract::Signer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::bytes::threshold_of;
use crate::call::job_exception;
use crate::data::column::Column;
use crate::settings::Settings;

/// The arguments of `pairs` that describe a method. None: sets are compared with all others.
pub type Arguments = Option<Vec<OsString>>;

/// How pairs are found: the threshold, and the signatures if these are compared.
pub struct Method {
    pub threshold: Threshold,
    pub signatures: Option<Signatures>,
}

/// Makes signatures.
pub struct Signatures {
    pub method: SignedMethod,
    /// What is posted of a document.
    pub keys: SignatureKeys,
    /// Whether pairs must reach the threshold.
    pub must_reach: bool,
    signer: Signer,
    numbers: Vec<u64>,
}

/// The node of a document, a hash of its set, and what else the method sees.
pub struct Marked<'a> {
    pub node: Node,
    pub check: u32,
    pub set_hash: u128,
    /// Its signature, if signatures are compared.
    pub signed: Signed<'a>,
    /// Whether the method can compare it.
    pub is_comparable: bool,
}

/// How nodes are made.
#[derive(Clone, Copy)]
pub struct Nodes {
    /// Whether equal sets are different nodes.
    pub own: bool,
    pub seed: u64,
}

/// What a row is, beside its text and its set.
#[derive(Clone, Copy)]
pub struct Mark {
    /// The hash of its key.
    pub key: u64,
    pub side: u8,
    /// The hash of its site, or 0.
    pub site: u64,
}

impl Method {
    pub fn new(settings: &Settings, threshold: &str, method: Arguments) -> PyResult<Method> {
        let threshold = threshold_of(settings, threshold)?;
        let method = method.map(signed_method).transpose().map_err(job_exception)?.flatten();
        let signatures = method.map(|method| {
            let signer = method.signing.signer(settings.recipe(), None).ok_or_else(|| not_here(&method.signing))?;
            let keys = method.signing.keys().ok_or_else(|| not_here(&method.signing))?;
            let must_reach = matches!(method.verify, Verify::Threshold);
            Ok::<_, PyErr>(Signatures { method, keys, must_reach, signer, numbers: Vec::new() })
        });
        Ok(Method { threshold, signatures: signatures.transpose()? })
    }

    /// Whether pairs must reach the threshold.
    pub fn must_reach(&self) -> bool {
        self.signatures.as_ref().is_none_or(|signatures| signatures.must_reach)
    }

    /// What the method sees of a document.
    pub fn mark(&mut self, text: &str, set: &[u64], mark: Mark, nodes: Nodes) -> Marked<'_> {
        let set_hash = hash_set(set);
        let mut signed = Signed { numbers: &[], site: mark.site };
        let mut identity = Some(set_hash);
        if let Some(Signatures { method, signer, numbers, .. }) = &mut self.signatures {
            numbers.clear();
            signer.sign(text, set, numbers);
            signed.numbers = numbers;
            identity = method.signing.identity(set_hash, signed);
        }
        // A document that cannot be compared equals no other, on either side.
        let alone = identity.is_none().then(|| hash_set(&[mark.key, mark.side.into()]) as u64);
        let own = alone.or(nodes.own.then_some(mark.key));
        let hash = identity.unwrap_or(set_hash);
        let node = node_of(hash, own, mark.side.into(), nodes.seed);
        Marked { node, check: (hash >> 64) as u32, set_hash, signed, is_comparable: identity.is_some() }
    }

    /// The hash of the site of a row, or 0 if it has none or the method does not ask.
    pub fn site(&self, row: usize, url: Option<&Column>, site: Option<&Column>) -> u64 {
        let Some(signatures) = &self.signatures else { return 0 };
        let hash = |site: &str| hash_token(site.as_bytes());
        match &signatures.method.site {
            SiteRule::Field(_) => written(site, row).map_or(0, |site| hash(&site)),
            rule => written(url, row).and_then(|url| rule.of_url(&url).map(|site| hash(&site))).unwrap_or(0),
        }
    }
}

/// A value of a column in writing, if it has one that is not empty.
fn written(column: Option<&Column>, row: usize) -> Option<Cow<'_, str>> {
    column?.value(row).written().filter(|text| !text.is_empty())
}

fn not_here(signing: &Signing) -> PyErr {
    PyValueError::new_err(format!("the method {} does not run on a cluster", signing.name()))
}

/// Says what a method is, or fails if there is none such.
#[pyfunction]
pub fn describe_method<'py>(py: Python<'py>, arguments: Vec<OsString>) -> PyResult<Bound<'py, PyDict>> {
    let method = signed_method(arguments).map_err(job_exception)?;
    let method = method.ok_or_else(|| PyValueError::new_err("the exact method compares no signatures"))?;
    let SignedMethod { signing, verify, site, .. } = &method;
    let found = PyDict::new(py);
    found.set_item("filter", signing.describe())?;
    found.set_item("signature_bytes", signing.bytes())?;
    found.set_item("designed_recall", signing.designed_recall())?;
    found.set_item("must_reach", matches!(verify, Verify::Threshold))?;
    found.set_item("posted_bytes", signing.keys().ok_or_else(|| not_here(signing))?.bytes())?;
    // Super-shingles and bits of a page.
    let pages = if let Signing::Web(recipe, _) = signing { Some((recipe.filter.k(), recipe.bits)) } else { None };
    found.set_item("pages", pages)?;
    let field = if let SiteRule::Field(name) = site { Some(name.as_str()) } else { None };
    found.set_item("site", field)?;
    Ok(found)
}
