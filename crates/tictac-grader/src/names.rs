//! Enums whose values have names in configuration files and on the command line.

/// Gives an enum its list of values, their names, and parsing by name, also in a file. `$what` is used in the error message.
macro_rules! named_values {
    ($type:ident, $what:literal, $($value:ident => $name:literal,)+) => {
        impl $type {
            /// All values, in order.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// Returns the name of the value.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(name: &str) -> Result<$type, String> {
                let names = $type::ALL.map($type::name);
                let found = $type::ALL.into_iter().find(|value| value.name() == name);
                found.ok_or_else(|| match tictac::notation::nearest(name, names) {
                    Some(known) => format!("unknown {} {name:?}; did you mean {known}?", $what),
                    None => format!("unknown {} {name:?}; expected one of {}", $what, names.join(", ")),
                })
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use named_values;
