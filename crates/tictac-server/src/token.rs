//! Random identifiers: of games, which may be shared, and of seats, which are secret.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Lower-case letters and digits without `i`, `l`, `o` and `u`, which are easily misread.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const ID_LENGTH: usize = 12;
const SECRET_LENGTH: usize = 26;

/// The public identifier of a game: 60 random bits in 12 characters. It allows watching, but not playing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId([u8; ID_LENGTH]);

impl GameId {
    /// Returns a new random identifier.
    pub fn random() -> GameId {
        GameId(random_characters())
    }

    /// Returns the identifier as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the alphabet is ASCII")
    }
}

/// The secret of a seat: 130 random bits. It is neither stored nor logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; SECRET_LENGTH]);

impl Secret {
    /// Returns a new random secret.
    pub fn random() -> Secret {
        Secret(random_characters())
    }

    /// Returns the hash that is stored in place of the secret.
    pub fn hash(&self) -> SecretHash {
        let digest = Sha256::new().chain_update(b"tictac seat 1\n").chain_update(self.0).finalize();
        SecretHash(data_encoding::HEXLOWER.encode(&digest[..16]))
    }

    /// Returns the secret as text, to be sent only to the holder of the seat.
    pub fn expose(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the alphabet is ASCII")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The hash of a [`Secret`] as 32 hexadecimal digits. A stolen database gives access to no seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SecretHash(String);

impl SecretHash {
    /// Returns the hash of a code of a few digits. A reader of the database can find the code, unlike a [`Secret`].
    pub(crate) fn of_code(tournament: GameId, code: &str) -> SecretHash {
        let digest =
            Sha256::new().chain_update(b"tictac code 1\n").chain_update(tournament.0).chain_update(code);
        SecretHash(data_encoding::HEXLOWER.encode(&digest.finalize()[..16]))
    }

    /// Returns whether two hashes are equal, in constant time.
    pub(crate) fn matches(&self, other: &SecretHash) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

/// A game and the secret of one of its seats, written `game.secret`. Invitation links contain one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeatToken {
    pub(crate) game: GameId,
    pub(crate) secret: Secret,
}

impl SeatToken {
    /// Returns the token as text, to be sent only to the holder of the seat.
    pub(crate) fn expose(&self) -> String {
        format!("{}.{}", self.game, self.secret.expose())
    }
}

/// The error for text that is not an identifier of a game or a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidToken;

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a game or seat of this server; the link may be incomplete")
    }
}

impl std::error::Error for InvalidToken {}

impl FromStr for GameId {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<GameId, InvalidToken> {
        parse_characters(text).map(GameId)
    }
}

impl FromStr for Secret {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<Secret, InvalidToken> {
        parse_characters(text).map(Secret)
    }
}

impl FromStr for SeatToken {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<SeatToken, InvalidToken> {
        let (game, secret) = text.split_once('.').ok_or(InvalidToken)?;
        Ok(SeatToken { game: game.parse()?, secret: secret.parse()? })
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for GameId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

fn random_characters<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("without random bytes nothing can be kept secret");
    bytes.map(|byte| ALPHABET[usize::from(byte % 32)])
}

fn parse_characters<const N: usize>(text: &str) -> Result<[u8; N], InvalidToken> {
    let bytes: [u8; N] = text.as_bytes().try_into().map_err(|_| InvalidToken)?;
    if bytes.iter().all(|byte| ALPHABET.contains(byte)) { Ok(bytes) } else { Err(InvalidToken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exposed_token_parses_back() {
        let token = SeatToken { game: GameId::random(), secret: Secret::random() };
        assert_eq!(token.expose().parse::<SeatToken>().unwrap(), token);
        assert_eq!(token.expose().len(), 39);
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "short", "0123456789aB", "0123456789ab ", "0123456789é"] {
            assert_eq!(text.parse::<GameId>(), Err(InvalidToken), "{text}");
        }
        assert!("0123456789ab".parse::<SeatToken>().is_err());
        assert!("0123456789ab.0123456789".parse::<SeatToken>().is_err());
    }

    #[test]
    fn hashes_of_different_secrets_differ_and_debug_shows_no_secret() {
        let secret = Secret::random();
        assert!(secret.hash().matches(&secret.hash()));
        assert!(!secret.hash().matches(&Secret::random().hash()));
        assert!(!format!("{secret:?}").contains(secret.expose()));
    }
}
