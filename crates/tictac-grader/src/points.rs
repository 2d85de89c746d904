//! Points, which a document may also give by halves.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number of points, exact to a hundredth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    hundredths: u32,
}

impl Points {
    /// No points at all.
    pub const ZERO: Points = Points { hundredths: 0 };
    /// The most points that a requirement can be worth.
    pub const MAX: Points = Points { hundredths: 1_000_000 };

    /// Returns the number as a fraction.
    pub fn to_f64(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }
}

impl From<u32> for Points {
    fn from(whole: u32) -> Points {
        Points { hundredths: whole.saturating_mul(100) }
    }
}

impl PartialEq<u32> for Points {
    fn eq(&self, whole: &u32) -> bool {
        *self == Points::from(*whole)
    }
}

impl Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points { hundredths: self.hundredths.saturating_add(other.hundredths) }
    }
}

impl Sub for Points {
    type Output = Points;

    fn sub(self, other: Points) -> Points {
        Points { hundredths: self.hundredths.saturating_sub(other.hundredths) }
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::ZERO, Points::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.hundredths / 100, self.hundredths % 100);
        f.pad(&match part {
            0 => whole.to_string(),
            _ if part.is_multiple_of(10) => format!("{whole}.{}", part / 10),
            _ => format!("{whole}.{part:02}"),
        })
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.hundredths.is_multiple_of(100) {
            serializer.serialize_u32(self.hundredths / 100)
        } else {
            serializer.serialize_f64(self.to_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let hundredths = (number * 100.0).round();
        if !(0.0..=Points::MAX.to_f64() * 100.0).contains(&hundredths) {
            let message = format!("expected a number of points, at most {}, not {number}", Points::MAX);
            return Err(de::Error::custom(message));
        }
        if (hundredths - number * 100.0).abs() > 1e-6 {
            return Err(de::Error::custom(format!("points are exact to a hundredth, not {number}")));
        }
        // The number is whole and in range.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(Points { hundredths: hundredths as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_add_up_and_are_written_as_people_write_them() {
        let read = |text: &str| serde_json::from_str::<Points>(text);
        let half = read("1.5").unwrap();
        assert_eq!(half + half, 3);
        assert_eq!(half.to_string(), "1.5");
        assert_eq!(read("0.25").unwrap().to_string(), "0.25");
        assert_eq!(read("0.05").unwrap().to_string(), "0.05");
        assert_eq!(read("40").unwrap().to_string(), "40");
        for text in ["1.5", "40", "0.1", "0"] {
            assert_eq!(serde_json::to_string(&read(text).unwrap()).unwrap(), text);
        }
        for wrong in ["-1", "10001", "0.001", "1e300", "\"5\""] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
