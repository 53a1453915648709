//! Entries as they are written and read. An entry's text is its canonical JSON; reading it and writing it again gives
//! the same bytes.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::entry::{By, Chance, Drawn, Entry, Event, Policy, Time};
use super::{Hex32, chain};
use crate::rules::Seat;
use crate::rules::canonical_action::CanonicalAction;

/// An entry as it is written: `data` holds what its `type` says. The names stand in canonical order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire<'a, By, Data> {
    at: Time,
    by: By,
    data: Data,
    /// Beside the entry in the database, within it where it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<Hex32>,
    seat: Option<Seat>,
    seq: u32,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

type ReadWire<'a> = Wire<'a, By, &'a RawValue>;

impl Entry {
    /// The entry's canonical JSON, which the chain is taken over.
    pub fn text(&self) -> String {
        match &self.event {
            // Most entries are one of these two; their names stand in canonical order.
            Event::Chance(data) => self.written("chance", data),
            Event::Acted(data) if CanonicalAction::is(data.action.get()) => self.written("acted", data),
            event => {
                let (kind, data) = event.parts();
                let data = RawValue::from_string(chain::canonical(&data)).expect("canonical JSON is JSON");
                self.written(kind, &data)
            }
        }
    }

    fn written(&self, kind: &str, data: &impl Serialize) -> String {
        let Entry { seq, at, by, seat, event: _ } = self;
        // So do these.
        let wire = Wire { at: *at, by, data, hash: None, seat: *seat, seq: *seq, kind: kind.into() };
        serde_json::to_string(&wire).expect("entries have string keys and plain values")
    }

    /// Reads an entry from its JSON, without a hash.
    ///
    /// # Errors
    /// What is wrong, in serde's words, where it is no entry.
    pub fn parse(text: &str) -> Result<Entry, serde_json::Error> {
        let wire: ReadWire<'_> = serde_json::from_str(text)?;
        match wire.hash {
            None => wire.entry(),
            Some(_) => Err(serde_json::Error::custom("the hash does not belong to what it is taken over")),
        }
    }
}

/// An entry as it was published to a reader that may see all of it.
#[derive(Debug, Clone)]
pub struct Published {
    pub entry: Entry,
    pub hash: Hex32,
}

impl Published {
    /// Reads an entry with its hash.
    ///
    /// # Errors
    /// What is wrong, in serde's words, where it is no entry, or one without a hash.
    pub fn parse(text: &str) -> Result<Published, serde_json::Error> {
        let wire: ReadWire<'_> = serde_json::from_str(text)?;
        let hash = wire.hash.ok_or_else(|| serde_json::Error::missing_field("hash"))?;
        Ok(Published { entry: wire.entry()?, hash })
    }
}

impl ReadWire<'_> {
    fn entry(self) -> Result<Entry, serde_json::Error> {
        let Wire { at, by, data, hash: _, seat, seq, kind } = self;
        let data = data.get();
        let event = match &*kind {
            "created" => Event::Created(serde_json::from_str(data)?),
            "seated" => Event::Seated(serde_json::from_str(data)?),
            "left" => nothing(data, Event::Left)?,
            "removed" => Event::Removed(serde_json::from_str(data)?),
            "moved" => Event::Moved(serde_json::from_str(data)?),
            "invite_renewed" => nothing(data, Event::InviteRenewed)?,
            "started" => Event::Started(serde_json::from_str(data)?),
            "chance" => Event::Chance(serde_json::from_str(data)?),
            "acted" => Event::Acted(serde_json::from_str(data)?),
            "resigned" => nothing(data, Event::Resigned)?,
            "abort_agreed" => nothing(data, Event::AbortAgreed)?,
            "paused" => Event::Paused(serde_json::from_str(data)?),
            "resumed" => nothing(data, Event::Resumed)?,
            "time_added" => Event::TimeAdded(serde_json::from_str(data)?),
            "finished" => Event::Finished(serde_json::from_str(data)?),
            "aborted" => Event::Aborted(serde_json::from_str(data)?),
            other => return Err(serde_json::Error::custom(format!("`{other}` is no type of entry"))),
        };
        Ok(Entry { seq, at, by, seat, event })
    }
}

/// The data of an entry that needs none.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn nothing(data: &str, event: Event) -> Result<Event, serde_json::Error> {
    let Nothing {} = serde_json::from_str(data)?;
    Ok(event)
}

impl Event {
    /// The type and the data.
    pub(super) fn parts(&self) -> (&'static str, Box<RawValue>) {
        fn raw(data: &impl Serialize) -> Box<RawValue> {
            serde_json::value::to_raw_value(data).expect("entries have string keys and plain values")
        }
        match self {
            Event::Created(data) => ("created", raw(data)),
            Event::Seated(data) => ("seated", raw(data)),
            Event::Left => ("left", raw(&Nothing {})),
            Event::Removed(data) => ("removed", raw(data)),
            Event::Moved(data) => ("moved", raw(data)),
            Event::InviteRenewed => ("invite_renewed", raw(&Nothing {})),
            Event::Started(data) => ("started", raw(data)),
            Event::Chance(data) => ("chance", raw(data)),
            Event::Acted(data) => ("acted", raw(data)),
            Event::Resigned => ("resigned", raw(&Nothing {})),
            Event::AbortAgreed => ("abort_agreed", raw(&Nothing {})),
            Event::Paused(data) => ("paused", raw(data)),
            Event::Resumed => ("resumed", raw(&Nothing {})),
            Event::TimeAdded(data) => ("time_added", raw(data)),
            Event::Finished(data) => ("finished", raw(data)),
            Event::Aborted(data) => ("aborted", raw(data)),
        }
    }
}

/// A chance as it is written. The names stand in canonical order.
#[derive(Serialize, Deserialize)]
struct Flat<Order> {
    k: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pick: Option<Pick>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shuffle: Option<Shuffle<Order>>,
}

#[derive(Serialize, Deserialize)]
struct Pick {
    of: u8,
    result: u8,
}

#[derive(Serialize, Deserialize)]
struct Shuffle<Order> {
    result: Option<Order>,
}

impl Serialize for Chance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (pick, shuffle) = match &self.drawn {
            Drawn::Pick { of, result } => (Some(Pick { of: *of, result: *result }), None),
            Drawn::Shuffle { result } => (None, Some(Shuffle { result: result.as_ref() })),
        };
        Flat { k: self.k, pick, shuffle }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Chance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Chance, D::Error> {
        let Flat { k, pick, shuffle } = Flat::deserialize(deserializer)?;
        let drawn = match (pick, shuffle) {
            (Some(Pick { of, result }), None) => Drawn::Pick { of, result },
            (None, Some(Shuffle { result })) => Drawn::Shuffle { result },
            _ => return Err(D::Error::custom("a chance is a pick or a shuffle")),
        };
        Ok(Chance { k, drawn })
    }
}

/// The author of an entry, as it is written. The names stand in canonical order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    bot: Option<Policy>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    player: Option<Cow<'a, str>>,
    #[serde(borrow)]
    r#type: Cow<'a, str>,
}

impl Serialize for By {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (bot, player, r#type) = match self {
            By::Player { player } => (None, Some(player.into()), "player"),
            By::Bot { bot } => (Some(*bot), None, "bot"),
            By::Clock {} => (None, None, "clock"),
            By::System {} => (None, None, "system"),
        };
        Named { bot, player, r#type: r#type.into() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for By {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<By, D::Error> {
        let Named { bot, player, r#type } = Named::deserialize(deserializer)?;
        match (&*r#type, player, bot) {
            ("player", Some(player), None) => Ok(By::Player { player: player.into_owned() }),
            ("bot", None, Some(bot)) => Ok(By::Bot { bot }),
            ("clock", None, None) => Ok(By::Clock {}),
            ("system", None, None) => Ok(By::System {}),
            _ => Err(D::Error::custom("nobody is described like this")),
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.6}", self.0))
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        super::parsed(deserializer).map(Time)
    }
}
