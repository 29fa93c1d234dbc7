//! Reading JSON through trait objects. serde makes a reader of its own for each type that is read;
//! here it stands once, and what takes the values is chosen while it runs.
//!
//! Everything goes through `deserialize_any`: the other ways of serde bring error texts that print
//! floats, and with them thirty kilobytes of exact arithmetic into the engine.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A string, a boolean or a number.
#[derive(Debug)]
pub(crate) enum Scalar<'a> {
    Text(Cow<'a, str>),
    Boolean(bool),
    Number(f64),
}

/// What takes a value, in the place of what it took before.
pub(crate) trait Sink<'de> {
    /// A scalar; none for null.
    fn scalar(&mut self, value: Option<Scalar<'de>>);
    fn list(&mut self, list: &mut dyn List<'de>) -> Result<(), Stop>;
    fn object(&mut self, object: &mut dyn Object<'de>) -> Result<(), Stop>;
}

/// Reading has stopped. Why is kept by the list or the object that said so, which hands it on.
#[derive(Debug)]
pub(crate) struct Stop;

/// The items of a list. It must be read to its end.
pub(crate) trait List<'de> {
    /// Reads the next item; says whether there was one.
    fn next(&mut self, item: &mut dyn Sink<'de>) -> Result<bool, Stop>;
    /// Skips the items that are left.
    fn skip(&mut self) -> Result<(), Stop>;
}

/// The fields of an object. It must be read to its end, each key with its value.
pub(crate) trait Object<'de> {
    /// The next key, borrowed from the text where it holds no escape.
    fn key(&mut self) -> Result<Option<Cow<'de, str>>, Stop>;
    /// Reads the value of the newest key.
    fn value(&mut self, value: &mut dyn Sink<'de>) -> Result<(), Stop>;
    /// The same as JSON text.
    fn raw(&mut self) -> Result<&'de str, Stop>;
    /// Skips it.
    fn skip(&mut self) -> Result<(), Stop>;
    /// Stops with an error at the newest value.
    fn refuse(&mut self, reason: &str) -> Stop;
}

/// Reads one value and nothing behind it.
pub(crate) fn read<'de>(json: &'de str, value: &mut dyn Sink<'de>) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    Into(value).deserialize(&mut deserializer)?;
    deserializer.end()
}

/// Reads a value into a sink.
pub(crate) struct Into<'s, 'de>(pub(crate) &'s mut dyn Sink<'de>);

impl<'de> DeserializeSeed<'de> for Into<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Into<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.scalar(None);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.scalar(Some(Scalar::Boolean(value)));
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.0.scalar(Some(Scalar::Number(value)));
        Ok(())
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<(), E> {
        self.0.scalar(Some(Scalar::Text(Cow::Borrowed(value))));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.0.scalar(Some(Scalar::Text(Cow::Owned(value.to_owned()))));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        let mut list = Reader::of(items);
        let read = self.0.list(&mut list);
        list.end(read)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<(), A::Error> {
        let mut object = Reader::of(fields);
        let read = self.0.object(&mut object);
        object.end(read)
    }
}

/// Serde's access to a list or an object, with the error that stopped it.
struct Reader<A, E> {
    access: A,
    error: Option<E>,
}

impl<A, E: Error> Reader<A, E> {
    fn of(access: A) -> Self {
        Self { access, error: None }
    }

    /// Keeps the error of a result.
    fn or_stop<T>(&mut self, read: impl FnOnce(&mut A) -> Result<T, E>) -> Result<T, Stop> {
        read(&mut self.access).map_err(|error| {
            self.error = Some(error);
            Stop
        })
    }

    fn end(self, read: Result<(), Stop>) -> Result<(), E> {
        match (read, self.error) {
            (Ok(()), _) => Ok(()),
            (Err(Stop), Some(error)) => Err(error),
            (Err(Stop), None) => Err(E::custom("reading has stopped")),
        }
    }
}

impl<'de, A: SeqAccess<'de>> List<'de> for Reader<A, A::Error> {
    fn next(&mut self, item: &mut dyn Sink<'de>) -> Result<bool, Stop> {
        self.or_stop(|items| Ok(items.next_element_seed(Into(item))?.is_some()))
    }

    fn skip(&mut self) -> Result<(), Stop> {
        self.or_stop(|items| {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(())
        })
    }
}

impl<'de, A: MapAccess<'de>> Object<'de> for Reader<A, A::Error> {
    fn key(&mut self) -> Result<Option<Cow<'de, str>>, Stop> {
        self.or_stop(|fields| Ok(fields.next_key::<Key<'de>>()?.map(|Key(key)| key)))
    }

    fn value(&mut self, value: &mut dyn Sink<'de>) -> Result<(), Stop> {
        self.or_stop(|fields| fields.next_value_seed(Into(value)))
    }

    fn raw(&mut self) -> Result<&'de str, Stop> {
        self.or_stop(|fields| Ok(fields.next_value::<&RawValue>()?.get()))
    }

    fn skip(&mut self) -> Result<(), Stop> {
        self.or_stop(|fields| fields.next_value::<IgnoredAny>().map(|_| ()))
    }

    fn refuse(&mut self, reason: &str) -> Stop {
        self.error = Some(A::Error::custom(reason));
        Stop
    }
}

struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(value)))
            }
            fn visit_str<E>(self, value: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(value.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}
