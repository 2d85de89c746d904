//! Extractors of request parts whose rejections are a [`Failure`].

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::token::GameId;

/// The game in the path of a request.
pub(crate) struct GamePath(pub(crate) GameId);

impl<S: Send + Sync> FromRequestParts<S> for GamePath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<GamePath, Failure> {
        let path = Path::<GameId>::from_request_parts(parts, state).await;
        path.map(|Path(game)| GamePath(game)).map_err(|_| Failure::NoSuchGame)
    }
}

/// The query of a request.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Parameters<T>, Failure> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(query)| Parameters(query)).map_err(|error| Failure::BadRequest(error.body_text()))
    }
}

/// The body of a request as bytes.
pub(crate) struct RawBody(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<RawBody, Failure> {
        let body: Result<Bytes, BytesRejection> = Bytes::from_request(request, state).await;
        body.map(RawBody).map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Failure::TooLarge("the body is larger than 64 KiB"),
            _ => Failure::BadRequest(rejection.body_text()),
        })
    }
}

/// The body of a request as JSON, whatever its content type. An empty body counts as `{}`.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, Failure> {
        let RawBody(body) = RawBody::from_request(request, state).await?;
        let body = if body.is_empty() { b"{}".as_slice() } else { &body };
        Ok(JsonBody(serde_json::from_slice(body)?))
    }
}
