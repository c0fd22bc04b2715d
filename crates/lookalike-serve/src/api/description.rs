//! Which requests are there, in OpenAPI? The description is written by hand. Tests here compare it with the routes, and `scripts/test-api`
//! compares it with the responses.

use axum::http::header;
use axum::response::{IntoResponse, Response};

const DESCRIPTION: &str = include_str!("openapi.json");

pub(super) async fn get() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::DESCRIPTION;
    use crate::api::routes::{guarded, public};

    /// The files of the page are not described.
    #[test]
    fn every_route_is_described_and_nothing_else() {
        let description: Value = serde_json::from_str(DESCRIPTION).unwrap();
        let described: BTreeSet<String> = description["paths"].as_object().unwrap().keys().cloned().collect();
        let routes = public().into_iter().chain(guarded());
        let routed: BTreeSet<String> = routes.map(|(path, _)| path.replace("{*", "{")).collect();
        assert_eq!(described, routed);
        assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
    }
}
