//! Encryption of messages for a browser: RFC 8291, with the coding `aes128gcm` of RFC 8188 in one record.

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// The size of a record; ours are shorter, so there is only one.
const RECORD_SIZE: u32 = 4_096;
/// The size of an uncompressed public key.
const PUBLIC_KEY: usize = 65;
const AUTH_SECRET: usize = 16;

/// Encrypts a message for the public key `receiver` of a browser and its secret `auth`. Returns `None` if they are not valid.
pub(super) fn encrypt(message: &[u8], receiver: &[u8], auth: &[u8]) -> Option<Vec<u8>> {
    if receiver.len() != PUBLIC_KEY || auth.len() != AUTH_SECRET {
        return None;
    }
    let random = SystemRandom::new();
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
    let sender = private.compute_public_key().ok()?;
    let mut salt = [0; 16];
    random.fill(&mut salt).ok()?;
    let keys = MessageKeys { receiver, sender: sender.as_ref(), auth, salt };
    // The agreement checks that the key is a point of the curve.
    let peer = UnparsedPublicKey::new(&ECDH_P256, receiver);
    agree_ephemeral(private, &peer, |shared| keys.seal(shared, message)).ok()?
}

/// Everything but the shared secret that the keys of a message are derived from.
struct MessageKeys<'a> {
    receiver: &'a [u8],
    sender: &'a [u8],
    auth: &'a [u8],
    salt: [u8; 16],
}

impl MessageKeys<'_> {
    fn seal(&self, shared: &[u8], message: &[u8]) -> Option<Vec<u8>> {
        let first = Salt::new(HKDF_SHA256, self.auth).extract(shared);
        let secret: [u8; 32] = expand(&first, &[b"WebPush: info\0", self.receiver, self.sender])?;
        let second = Salt::new(HKDF_SHA256, &self.salt).extract(&secret);
        let key: [u8; 16] = expand(&second, &[b"Content-Encoding: aes128gcm\0"])?;
        let nonce: [u8; 12] = expand(&second, &[b"Content-Encoding: nonce\0"])?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).ok()?);
        // A 2 ends the last record.
        let mut content = [message, &[2]].concat();
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut content).ok()?;
        let length = u8::try_from(self.sender.len()).ok()?;
        Some([&self.salt[..], &RECORD_SIZE.to_be_bytes(), &[length], self.sender, &content].concat())
    }
}

struct KeyLength(usize);

impl KeyType for KeyLength {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand<const N: usize>(from: &Prk, info: &[&[u8]]) -> Option<[u8; N]> {
    let mut key = [0; N];
    from.expand(info, KeyLength(N)).ok()?.fill(&mut key).ok()?;
    Some(key)
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64URL_NOPAD;

    use super::*;

    fn decode(text: &str) -> Vec<u8> {
        BASE64URL_NOPAD.decode(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_example_of_rfc_8291_is_reproduced() {
        let receiver =
            decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
        let sender =
            decode("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let (auth, salt) = (decode("BTBZMqHH6r4Tts7J_aSIgg"), decode("DGv6ra1nlYgDCS1FRnbzlw"));
        let shared = decode("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let keys =
            MessageKeys { receiver: &receiver, sender: &sender, auth: &auth, salt: salt.try_into().unwrap() };
        let sealed = keys.seal(&shared, b"When I grow up, I want to be a watermelon").unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz\
                        AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64URL_NOPAD.encode(&sealed), expected);
    }

    #[test]
    fn keys_that_are_not_valid_are_refused() {
        let point =
            decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
        assert!(encrypt(b"hello", &point, &[7; 16]).is_some());
        assert!(encrypt(b"hello", &point, &[7; 15]).is_none());
        assert!(encrypt(b"hello", &point[1..], &[7; 16]).is_none());
        let mut elsewhere = point;
        elsewhere[64] ^= 1;
        assert!(encrypt(b"hello", &elsewhere, &[7; 16]).is_none(), "not a point of the curve");
    }
}
