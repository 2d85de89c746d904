//! How parts of a report are written to and read from files.

/// A requirement is stored as its id.
pub(crate) mod requirement_id {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::requirement::Requirement;

    // The signature is the one that serde asks for.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub(crate) fn serialize<S: Serializer>(
        requirement: &&'static Requirement,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(requirement.id)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static Requirement, D::Error> {
        let id = String::deserialize(deserializer)?;
        Requirement::with_id(&id).ok_or_else(|| D::Error::custom(format!("unknown requirement {id:?}")))
    }
}

/// Bytes are stored as text, one character from U+0000 to U+00FF per byte.
pub(crate) mod byte_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&bytes.iter().copied().map(char::from).collect::<String>())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = text.chars().map(u8::try_from).collect::<Result<_, _>>();
        bytes.map_err(|_| D::Error::custom("a character above U+00FF"))
    }
}
