//! What clients can ask, over HTTP.

mod body;
mod compare;
mod connections;
mod description;
mod documents;
mod errors;
mod events;
mod fields;
mod lines;
mod makers;
mod page;
mod scalar;
mod state;
mod wire;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};

pub use connections::serve;
pub use errors::ApiError;
pub use fields::FieldNames;
pub use state::{Limits, Reading, Service};

/// A path, and what can be done there.
type Route = (&'static str, MethodRouter<Service>);

/// What needs no token.
fn for_all() -> Vec<Route> {
    vec![("/healthz", get(|| async { "ok\n" })), ("/readyz", get(ready)), ("/v1/openapi.json", get(description::get))]
}

/// What does.
fn guarded() -> Vec<Route> {
    vec![
        ("/v1/documents", post(documents::add)),
        // Ids may have slashes.
        ("/v1/documents/{*id}", get(documents::get).delete(documents::remove)),
        ("/v1/query", post(documents::query)),
        ("/v1/matches", get(documents::matches)),
        ("/v1/compare", get(compare::compare)),
        ("/v1/stats", get(stats)),
        ("/v1/events", get(events::events)),
        ("/metrics", get(metrics)),
    ]
}

/// All that can be asked for.
pub fn router(service: Service) -> Router {
    let router = |routes: Vec<Route>| {
        routes.into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods))
    };
    let guarded = router(guarded()).route_layer(middleware::from_fn_with_state(service.clone(), guard));
    router(for_all())
        .merge(page::routes())
        .merge(guarded)
        .fallback(|| async { ApiError::new(StatusCode::NOT_FOUND, "not_found", "there is nothing here") })
        .method_not_allowed_fallback(|| async {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this cannot be done here")
        })
        .layer(middleware::from_fn_with_state(service.clone(), page::protect))
        .with_state(service)
}

/// Lets through who has the token, if there is one, and as many as may come at once.
async fn guard(State(service): State<Service>, mut request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if !service.allows(given.and_then(bearer_token)) {
        let error =
            ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", "a bearer token is needed, and this is not it");
        return ([(header::WWW_AUTHENTICATE, "Bearer")], error).into_response();
    }
    let Some(turn) = service.turn() else {
        let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "too many requests at once");
        return ([(header::RETRY_AFTER, "1")], error).into_response();
    };
    // An answer that is told line by line holds its turn until the last.
    request.extensions_mut().insert(turn);
    next.run(request).await
}

/// The token of an `Authorization`; the scheme may be in any case.
fn bearer_token(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim_ascii())
}

async fn ready(State(service): State<Service>) -> Result<&'static str, ApiError> {
    let trouble = service.desk.ask(|stock| stock.trouble().map(String::from)).await.ok_or_else(ApiError::closed)?;
    match trouble {
        None => Ok("ready\n"),
        Some(reason) => Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "disk", reason)),
    }
}

async fn stats(State(service): State<Service>) -> Result<Json<state::Stats>, ApiError> {
    Ok(Json(service.stats().await?))
}

async fn metrics(State(service): State<Service>) -> Result<Response, ApiError> {
    let text = service.stats().await?.to_prometheus();
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
