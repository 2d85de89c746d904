//! The key that identifies the server to push services: VAPID, RFC 8292.

use std::fmt;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

/// How long a signature is valid, in seconds. Push services accept at most a day.
const LIFETIME: u64 = 12 * 60 * 60;
const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// A private key on the curve P-256.
pub struct PushKey(EcdsaKeyPair);

impl fmt::Debug for PushKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushKey(…)")
    }
}

impl PushKey {
    /// Returns the text of a new key: PKCS #8 as PEM.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no random numbers.
    pub fn generate() -> Result<String, String> {
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(|_| "the system has no random numbers".to_owned())?;
        let text = BASE64.encode(document.as_ref());
        let lines: Vec<&str> =
            text.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap_or_default()).collect();
        Ok(format!("{BEGIN}\n{}\n{END}\n", lines.join("\n")))
    }

    /// Reads a key that [`PushKey::generate`] has written.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a key.
    pub fn parse(text: &str) -> Result<PushKey, String> {
        let refused = || {
            "not a private key on the curve P-256 in PKCS #8; `tictac serve push-key` makes one".to_owned()
        };
        let text =
            text.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)).ok_or_else(refused)?;
        let text: String = text.split_whitespace().collect();
        let document = BASE64.decode(text.as_bytes()).map_err(|_| refused())?;
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &document, &SystemRandom::new());
        key.map(PushKey).map_err(|_| refused())
    }

    /// Returns the public key, as browsers get it.
    pub(crate) fn public(&self) -> String {
        BASE64URL_NOPAD.encode(self.0.public_key().as_ref())
    }

    /// Returns the value of `Authorization` for a push service at `audience`, at a time in seconds since 1970. `contact` is the address
    /// of this server.
    pub(super) fn authorization(&self, audience: &str, contact: &str, now: u64) -> Option<String> {
        let part = |value: serde_json::Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let header = part(json!({"typ": "JWT", "alg": "ES256"}));
        let claims = part(json!({"aud": audience, "exp": now + LIFETIME, "sub": contact}));
        let signed = format!("{header}.{claims}");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes()).ok()?;
        let signature = BASE64URL_NOPAD.encode(signature.as_ref());
        Some(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_signature_can_be_checked_with_the_public_key() {
        let key = PushKey::parse(&PushKey::generate().unwrap()).unwrap();
        let value = key.authorization("https://push.example", "https://play.example", 1_000).unwrap();
        let (token, public) = value.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        let decode = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(public));
        public.verify(signed.as_bytes(), &decode(signature)).unwrap();
        let claims: Value = serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
        assert_eq!(
            claims,
            json!({"aud": "https://push.example", "exp": 44_200, "sub": "https://play.example"})
        );
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let text = PushKey::generate().unwrap();
        for text in ["", BEGIN, &text.replace("PRIVATE", "PUBLIC"), &text.replacen('M', "!", 1)] {
            assert!(PushKey::parse(text).is_err(), "{text}");
        }
        assert_eq!(format!("{:?}", PushKey::parse(&text).unwrap()), "PushKey(…)");
    }
}
