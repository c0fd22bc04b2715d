//! What the columns of a table mean.

use lookalike_io::Source;

use super::rows::columns_of;
use crate::error::Error;

/// A table that somebody wrote.
#[derive(Clone, Debug, Default)]
pub struct TableInput {
    /// Its files.
    pub files: Vec<Source>,
    /// The columns to use, if the user named them: two ids, or an id and a cluster, and perhaps a similarity or a label.
    pub columns: Vec<String>,
}

/// The kind of the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Two ids.
    Pairs(String, String),
    /// An id and the name of its cluster.
    Clusters(String, String),
    /// An id and that of its twin.
    Twins(String, String),
}

/// The columns of two ids, as this and other tools name them.
const PAIRS: [(&str, &str); 16] = [
    ("a", "b"),
    ("id_a", "id_b"),
    ("idA", "idB"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("a_id", "b_id"),
    ("left", "right"),
    ("left_id", "right_id"),
    ("id_l", "id_r"),
    ("unique_id_l", "unique_id_r"),
    ("ltable_id", "rtable_id"),
    ("l_id", "r_id"),
    ("source", "target"),
    ("src", "dst"),
    ("doc1", "doc2"),
    ("_curator_dedup_id_x", "_curator_dedup_id_y"),
];
/// The columns of an id beside a cluster, and of a cluster.
const IDS: [&str; 9] =
    ["id", "_curator_dedup_id", "doc_id", "document_id", "uuid", "key", "unique_id", "__INDEX__", "index"];
const CLUSTERS: [&str; 11] = [
    "cluster",
    "cluster_id",
    "cluster id",
    "lookalike_cluster",
    "group",
    "group_id",
    "_duplicate_group_id",
    "duplicate_group_id",
    "minhash_cluster_id",
    "__CLUSTER__",
    "__cluster__",
];
/// The columns of a similarity, and of a distance.
const SIMILARITIES: [&str; 7] =
    ["similarity", "unverified_similarity", "score", "match_probability", "jaccard", "jaccard_similarity", "sim"];
const DISTANCES: [&str; 2] = ["distance", "dist"];
const LABELS: [&str; 6] = ["label", "class", "answer", "match", "is_match", "is_duplicate"];

/// The columns of a table, by role.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) shape: Shape,
    /// The column of the similarity, distance or label.
    pub(crate) value: Option<String>,
    pub(crate) is_distance: bool,
}

/// The kind of the third column of a table of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Third {
    Value,
    Label,
}

impl TableInput {
    /// The roles of the columns, given by the user or inferred from their names. All files must have the same.
    pub(crate) fn columns(&self, third: Third) -> Result<Columns, Error> {
        let Some(first) = self.files.first() else {
            return Err(Error::Usage("no table is given".to_string()));
        };
        let known = columns_of(first)?;
        // JSON lines without a line have no columns: nothing was found.
        if known.is_empty() {
            let shape = Shape::Pairs("a".to_string(), "b".to_string());
            return Ok(Columns { shape, value: None, is_distance: false });
        }
        let has = |name: &str| known.iter().any(|column| column == name);
        let path = first.path().display();
        let option = if third == Third::Label { "--label-columns" } else { "--columns" };
        if let Some(missing) = self.columns.iter().find(|name| !has(name)) {
            return Err(Error::Usage(format!("{path} has no column '{missing}' (columns: {})", known.join(", "))));
        }
        let shape = match &self.columns[..] {
            [] => by_name(&known).ok_or_else(|| {
                Error::Usage(format!(
                    "{path}: cannot tell which columns are a pair or a cluster (columns: {}). Use {option} to name two ids, or an id and a cluster",
                    known.join(", ")
                ))
            })?,
            [one, two, ..] if CLUSTERS.contains(&two.as_str()) => Shape::Clusters(one.clone(), two.clone()),
            [one, two, ..] if two == "twin" => Shape::Twins(one.clone(), two.clone()),
            [one, two] | [one, two, _] => Shape::Pairs(one.clone(), two.clone()),
            _ => return Err(Error::Usage(format!("{option} takes two or three names of columns"))),
        };
        let names: &[&str] = if third == Third::Label { &LABELS } else { &SIMILARITIES };
        let by_name = |names: &[&str]| names.iter().find(|name| has(name)).map(ToString::to_string);
        let value = match (&shape, self.columns.get(2)) {
            (_, Some(name)) => Some(name.clone()),
            (Shape::Clusters(..), None) => None,
            (_, None) if third == Third::Label => by_name(names),
            (_, None) => by_name(names).or_else(|| by_name(&DISTANCES)),
        };
        let is_distance = value.as_deref().is_some_and(|name| DISTANCES.contains(&name));
        Ok(Columns { shape, value, is_distance })
    }

    /// The same columns, as an id and its cluster.
    pub(crate) fn as_clusters(columns: Columns) -> Columns {
        match columns.shape {
            Shape::Pairs(id, cluster) => {
                Columns { shape: Shape::Clusters(id, cluster), value: None, is_distance: false }
            }
            _ => columns,
        }
    }
}

/// The kind of a table, by the names of its columns. A table of two columns with unknown names is a table of pairs.
fn by_name(known: &[String]) -> Option<Shape> {
    let has = |name: &str| known.iter().any(|column| column == name);
    if let Some((a, b)) = PAIRS.iter().find(|(a, b)| has(a) && has(b)) {
        return Some(Shape::Pairs(a.to_string(), b.to_string()));
    }
    let id = IDS.iter().find(|name| has(name));
    if let Some(id) = id.filter(|_| has("twin")) {
        return Some(Shape::Twins(id.to_string(), "twin".to_string()));
    }
    let cluster = CLUSTERS.iter().find(|name| has(name));
    if let Some((id, cluster)) = id.zip(cluster) {
        return Some(Shape::Clusters(id.to_string(), cluster.to_string()));
    }
    match known {
        [one, two] if id.is_none() && cluster.is_none() => Some(Shape::Pairs(one.clone(), two.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(names: &[&str]) -> Option<Shape> {
        by_name(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn tables_are_recognised() {
        let pair = |a: &str, b: &str| Some(Shape::Pairs(a.into(), b.into()));
        let cluster = |a: &str, b: &str| Some(Shape::Clusters(a.into(), b.into()));
        assert_eq!(shape(&["a", "b", "similarity"]), pair("a", "b"));
        assert_eq!(shape(&["match_probability", "unique_id_l", "unique_id_r"]), pair("unique_id_l", "unique_id_r"));
        assert_eq!(shape(&["cluster", "id", "kept"]), cluster("id", "cluster"));
        assert_eq!(
            shape(&["_curator_dedup_id", "_duplicate_group_id"]),
            cluster("_curator_dedup_id", "_duplicate_group_id")
        );
        assert_eq!(shape(&["id", "twin", "similarity"]), Some(Shape::Twins("id".into(), "twin".into())));
        assert_eq!(shape(&["x", "y"]), pair("x", "y"));
        assert_eq!(shape(&["x", "y", "z"]), None);
        assert_eq!(shape(&["id", "text"]), None);
    }
}
