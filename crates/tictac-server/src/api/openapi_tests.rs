//! Compares `openapi.json` with the types of the API: every type is read from its schema, and asks for the fields and variants that the
//! schema has.

use serde::de::value::Error;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IgnoredAny, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde_json::Value;

use super::tournament::EntryRequest;
use super::{JoinRequest, JudgeRequest, OPENAPI, PushRequest, UnsubscribeRequest};
use crate::tournament::view::{
    CreatedTournament, EnteredTournament, ListedTournament, NewTournament, OrganiserAction,
};
use crate::wire::{ActionRequest, Created, JoinedGame, NewGame, Problem, Update};

/// A schema, from which an example of a type is read.
#[derive(Clone, Copy)]
struct Schema<'a> {
    root: &'a Value,
    value: &'a Value,
}

impl<'a> Schema<'a> {
    fn at(self, value: &'a Value) -> Schema<'a> {
        let target = value["$ref"].as_str().map(|name| self.root.pointer(name.trim_start_matches('#')));
        Schema { value: target.map_or(value, |target| target.expect("the reference exists")), ..self }
    }

    /// Returns the schema without the choice of null.
    fn present(self) -> Schema<'a> {
        let choices = self.value["oneOf"].as_array().into_iter().flatten();
        let mut present = choices.filter(|choice| choice["type"] != "null");
        match (present.next(), present.next()) {
            (Some(choice), None) => self.at(choice),
            _ => self,
        }
    }

    fn expect_type(self, name: &str) -> Result<Schema<'a>, Error> {
        let types = self.value["type"].as_array();
        let has_type = types.map_or(self.value["type"] == name, |types| types.iter().any(|one| one == name));
        if has_type {
            Ok(self)
        } else {
            Err(Error::custom(format!("{name} is not the type of {}", self.value)))
        }
    }

    /// Returns the names of the variants: strings, and objects with one field.
    fn variants(self) -> Vec<&'a str> {
        let choices = self.value["oneOf"].as_array().map_or(vec![self.value], |all| all.iter().collect());
        let names = choices.iter().flat_map(|choice| {
            let strings = choice["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let objects = choice["properties"].as_object().into_iter().flatten();
            strings.chain(objects.map(|(name, _)| name.as_str()))
        });
        names.collect()
    }

    fn example(self) -> Value {
        self.value["examples"][0].clone()
    }
}

/// Returns an error if two lists of names differ.
fn compare(schema: Schema<'_>, mut described: Vec<&str>, names: &[&str]) -> Result<(), Error> {
    let mut names: Vec<&str> = names.iter().copied().filter(|name| *name != "unknown").collect();
    names.sort_unstable();
    described.sort_unstable();
    if names == described {
        return Ok(());
    }
    Err(Error::custom(format!("the type has {names:?}, and the schema {described:?}: {}", schema.value)))
}

impl<'de> Deserializer<'de> for Schema<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom(format!("there is no example for {}", self.value)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let schema = self.present().expect_type("object")?;
        let properties = schema.value["properties"].as_object().expect("an object has properties");
        compare(schema, properties.keys().map(String::as_str).collect(), fields)?;
        let fields = properties.iter().map(|(name, field)| (name.as_str(), schema.at(field))).collect();
        visitor.visit_map(Fields(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let described = self.variants();
        let first = described.first().copied().unwrap_or_default();
        compare(self, described, variants)?;
        visitor.visit_enum(first.into_deserializer())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self.present())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let item = self.at(&self.expect_type("array")?.value["items"]);
        visitor.visit_seq(Fields(vec![("", item)]))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let example = self.expect_type("object")?.example();
        let fields = example.as_object().cloned().unwrap_or_default();
        fields.into_deserializer().deserialize_map(visitor).map_err(Error::custom)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let first = self.variants().first().copied().unwrap_or("text");
        visitor.visit_str(self.expect_type("string")?.example().as_str().unwrap_or(first))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.expect_type("integer").and_then(|_| visitor.visit_u64(1))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.expect_type("number").and_then(|_| visitor.visit_f64(1.5))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.expect_type("boolean").and_then(|_| visitor.visit_bool(true))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 f32 char bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct identifier
    }
}

/// The fields of an object, or the items of an array, that are still to be read.
struct Fields<'a>(Vec<(&'a str, Schema<'a>)>);

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.0.last().map(|(name, _)| seed.deserialize((*name).into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (name, schema) = self.0.pop().expect("a key comes before its value");
        seed.deserialize(schema).map_err(|error| Error::custom(format!("{name}: {error}")))
    }
}

impl<'de> SeqAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.0.pop().map(|(_, schema)| seed.deserialize(schema)).transpose()
    }
}

#[track_caller]
fn check<T: DeserializeOwned>(name: &str) {
    let root: Value = serde_json::from_str(OPENAPI).unwrap();
    let value = &root["components"]["schemas"][name];
    T::deserialize(Schema { root: &root, value }).unwrap_or_else(|error| panic!("{name}: {error}"));
}

#[test]
fn every_type_has_the_fields_and_variants_of_its_schema() {
    check::<NewGame>("NewGame");
    check::<Created>("Created");
    check::<JoinedGame<IgnoredAny>>("Joined");
    check::<ActionRequest>("Action");
    check::<Update<IgnoredAny>>("Update");
    check::<Problem>("Problem");
    check::<JoinRequest>("Join");
    check::<JudgeRequest>("Judge");
    check::<PushRequest>("PushRequest");
    check::<UnsubscribeRequest>("Unsubscribe");
    check::<NewTournament>("NewTournament");
    check::<EntryRequest>("TournamentEntry");
    check::<OrganiserAction>("OrganiserAction");
    check::<CreatedTournament>("CreatedTournament");
    check::<EnteredTournament>("EnteredTournament");
    check::<ListedTournament>("ListedTournament");
}
