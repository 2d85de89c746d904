//! Names that nobody can guess: games and seats.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Lower-case letters and digits that cannot be mistaken for one another.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const ID_LENGTH: usize = 12;
const SECRET_LENGTH: usize = 26;

/// The public name of a game: whoever knows it may watch, and no more. 60 bits of chance in 12 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId([u8; ID_LENGTH]);

impl GameId {
    /// Returns a new name.
    pub fn random() -> GameId {
        GameId(random_characters())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the alphabet is ASCII")
    }
}

/// What proves that somebody holds a seat: 130 bits of chance. It is never stored and never printed in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; SECRET_LENGTH]);

impl Secret {
    /// Returns a new secret.
    pub fn random() -> Secret {
        Secret(random_characters())
    }

    /// Returns what may be stored of it.
    pub fn key(&self) -> Key {
        let digest = Sha256::new().chain_update(b"tictac seat 1\n").chain_update(self.0).finalize();
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        Key(key)
    }

    /// The secret as text, for the one who holds the seat.
    pub fn expose(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the alphabet is ASCII")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The hash of a secret; a stolen database gives nobody a seat.
#[derive(Clone, Copy, Debug)]
pub struct Key([u8; 16]);

impl Key {
    /// Returns whether `secret` is the one behind this key, in a time that does not depend on how much of it is right.
    pub fn opens(&self, secret: &Secret) -> bool {
        self.matches(&secret.key())
    }

    /// Returns whether two keys are the same, in constant time.
    pub fn matches(&self, other: &Key) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// A game and the secret of one of its seats, written `game.secret`: what an invitation holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatToken {
    /// The game.
    pub game: GameId,
    /// What opens the seat.
    pub secret: Secret,
}

impl SeatToken {
    /// Returns the token as text, for the one who holds the seat.
    pub fn expose(&self) -> String {
        format!("{}.{}", self.game, self.secret.expose())
    }
}

/// A text that is no name of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidToken;

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a game or seat of this server: the link may have been cut short")
    }
}

impl std::error::Error for InvalidToken {}

impl FromStr for GameId {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<GameId, InvalidToken> {
        characters(text).map(GameId)
    }
}

impl FromStr for Secret {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<Secret, InvalidToken> {
        characters(text).map(Secret)
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

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        let bytes = data_encoding::HEXLOWER.decode(String::deserialize(deserializer)?.as_bytes());
        let key = bytes.ok().and_then(|bytes| bytes.try_into().ok());
        key.map(Key).ok_or_else(|| serde::de::Error::custom("a key has 32 hexadecimal digits"))
    }
}

fn random_characters<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes, or nothing here can be kept secret");
    bytes.map(|byte| ALPHABET[usize::from(byte % 32)])
}

fn characters<const N: usize>(text: &str) -> Result<[u8; N], InvalidToken> {
    let bytes: [u8; N] = text.as_bytes().try_into().map_err(|_| InvalidToken)?;
    if bytes.iter().all(|byte| ALPHABET.contains(byte)) { Ok(bytes) } else { Err(InvalidToken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_parses_back() {
        let token = SeatToken { game: GameId::random(), secret: Secret::random() };
        assert_eq!(token.expose().parse::<SeatToken>().unwrap(), token);
        assert_eq!(token.expose().len(), 39);
    }

    #[test]
    fn other_texts_are_no_names() {
        for text in ["", "short", "0123456789aB", "0123456789ab ", "0123456789é"] {
            assert_eq!(text.parse::<GameId>(), Err(InvalidToken), "{text}");
        }
        assert!("0123456789ab".parse::<SeatToken>().is_err());
        assert!("0123456789ab.0123456789".parse::<SeatToken>().is_err());
    }

    #[test]
    fn a_key_opens_for_its_secret_only_and_debug_shows_no_secret() {
        let secret = Secret::random();
        assert!(secret.key().opens(&secret));
        assert!(!secret.key().opens(&Secret::random()));
        assert!(!format!("{secret:?}").contains(secret.expose()));
    }
}
