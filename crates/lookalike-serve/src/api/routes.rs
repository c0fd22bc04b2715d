//! Which path leads to which handler, and who may call it?

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use super::errors::ApiError;
use super::service::Service;
use super::{compare, description, documents, events, page, stats};

/// A path and its handlers.
type Route = (&'static str, MethodRouter<Service>);

/// Routes that need no token.
pub(super) fn public() -> Vec<Route> {
    vec![("/healthz", get(|| async { "ok\n" })), ("/readyz", get(ready)), ("/v1/openapi.json", get(description::get))]
}

/// Routes that need the token.
pub(super) fn guarded() -> Vec<Route> {
    vec![
        ("/v1/documents", post(documents::add)),
        // Ids may have slashes.
        ("/v1/documents/{*id}", get(documents::get).delete(documents::remove)),
        ("/v1/query", post(documents::query)),
        ("/v1/matches", get(documents::matches)),
        ("/v1/compare", get(compare::compare)),
        ("/v1/stats", get(stats::stats)),
        ("/v1/events", get(events::events)),
        ("/metrics", get(stats::metrics)),
    ]
}

/// All routes of a service.
pub(super) fn router(service: Service) -> Router {
    let router = |routes: Vec<Route>| {
        routes.into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods))
    };
    let guarded = router(guarded()).route_layer(middleware::from_fn_with_state(service.clone(), guard));
    router(public())
        .merge(page::routes())
        .merge(guarded)
        .fallback(|| async { ApiError::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this path") })
        .method_not_allowed_fallback(|| async {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this path does not allow the method")
        })
        .layer(middleware::from_fn_with_state(service.clone(), page::protect))
        .with_state(service)
}

/// Checks the token, if the service has one, and limits the number of concurrent requests.
async fn guard(State(service): State<Service>, mut request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if !service.allows(given.and_then(bearer_token)) {
        let error = ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", "the bearer token is missing or wrong");
        return ([(header::WWW_AUTHENTICATE, "Bearer")], error).into_response();
    }
    let Some(permit) = service.request_permit() else {
        let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "too many concurrent requests");
        return ([(header::RETRY_AFTER, "1")], error).into_response();
    };
    // A response that is streamed line by line holds its permit until the last line.
    request.extensions_mut().insert(permit);
    next.run(request).await
}

/// The token of an `Authorization` header, whose scheme may be in any case.
fn bearer_token(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim_ascii())
}

async fn ready(State(service): State<Service>) -> Result<&'static str, ApiError> {
    let trouble = service.writer.read(|store| store.trouble().map(String::from)).await.ok_or_else(ApiError::closed)?;
    match trouble {
        None => Ok("ready\n"),
        Some(reason) => Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "disk", reason)),
    }
}
