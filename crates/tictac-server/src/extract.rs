//! Extractors of request parts whose rejections are a [`Failure`].

use std::convert::Infallible;
use std::net::IpAddr;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::cookie;
use crate::failure::Failure;
use crate::guard::Client;
use crate::page::Language;
use crate::service::Service;
use crate::token::{GameId, Secret};

/// The game or tournament in the path of a request.
pub(crate) struct GamePath(pub(crate) GameId);

impl<S: Send + Sync> FromRequestParts<S> for GamePath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<GamePath, Failure> {
        let path = Path::<GameId>::from_request_parts(parts, state).await;
        let is_tournament = || {
            let path = parts.uri.path();
            path.starts_with("/t/") || path.contains("/tournaments/")
        };
        path.map(|Path(game)| GamePath(game))
            .map_err(|_| if is_tournament() { Failure::NoSuchTournament } else { Failure::NoSuchGame })
    }
}

/// The sender of a request, and what the request says about them.
pub(crate) struct Visitor {
    pub(crate) service: Service,
    pub(crate) language: Language,
    /// The address that rate limits apply to.
    pub(crate) address: IpAddr,
    pub(crate) headers: HeaderMap,
}

impl FromRequestParts<Service> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Visitor, Infallible> {
        let Client(address) = Client::from_request_parts(parts, service).await?;
        let language = Language::of(&parts.uri, &parts.headers);
        Ok(Visitor { service: service.clone(), language, address, headers: parts.headers.clone() })
    }
}

impl Visitor {
    /// Returns the secret of the seat, if the visitor has one in some game.
    pub(crate) fn seat(&self) -> Option<Secret> {
        cookie::seat(&self.headers)
    }

    /// Returns the secret of the seat that the visitor must have.
    pub(crate) fn player(&self) -> Result<Secret, Failure> {
        self.seat().ok_or(Failure::NoSeat)
    }

    /// Returns the secrets of the visitor in a tournament, as player and as organiser.
    pub(crate) fn tournament_secrets(&self) -> Vec<Secret> {
        cookie::tournament_secrets(&self.headers)
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
