//! What stands in the streams: the events, and the JSON in their `data`.

use serde_json::{Value, json};
use utoipa::PartialSchema;

use super::names::{components, reference};
use crate::http::streams::standings::{PlacedRow, StandingsUpdate};
use crate::http::streams::tournament::TournamentEntryEvent;

/// A stream: its path, the name and description of its events, and the events.
struct Stream {
    path: &'static str,
    name: &'static str,
    about: &'static str,
    /// The schema of the events' `id`.
    id: fn() -> Value,
    events: &'static [Event],
}

/// An event: its name, the schema of its data, and when it comes.
struct Event {
    name: &'static str,
    data: &'static str,
    about: &'static str,
}

const STREAMS: [Stream; 5] = [
    Stream {
        path: "/v1/games/{id}/stream",
        name: "GameEvent",
        about: "An event of a game's stream. Its `id` is the game's version.",
        id: number,
        events: &[
            Event { name: "game", data: "Game", about: "The whole game, once at the beginning." },
            Event { name: "entry", data: "EntryEvent", about: "A new entry of the game's log." },
        ],
    },
    Stream {
        path: "/v1/games/stream",
        name: "LobbyEvent",
        about: "An event of the lobby's stream. Its `id` says how far you have read.",
        id: number,
        events: &[
            Event { name: "lobby", data: "Page_LobbyGame", about: "The list, once at the beginning." },
            Event { name: "game", data: "LobbyGame", about: "A game after its newest change." },
        ],
    },
    Stream {
        path: "/v1/tournaments/{id}/stream",
        name: "TournamentEvent",
        about: "An event of a tournament's stream. Its `id` is the tournament's version.",
        id: number,
        events: &[
            Event {
                name: "tournament",
                data: "Tournament",
                about: "The whole tournament, once at the beginning.",
            },
            Event {
                name: "entry",
                data: "TournamentEntryEvent",
                about: "A new entry of the tournament's log.",
            },
        ],
    },
    Stream {
        path: "/v1/tournaments/{id}/standings/stream",
        name: "StandingsEvent",
        about: "An event of the standings' stream. Its `id` counts the events.",
        id: number,
        events: &[Event {
            name: "standings",
            data: "StandingsUpdate",
            about: "What has changed in the standings; at the beginning, all rows that were asked for.",
        }],
    },
    Stream {
        path: "/v1/me/stream",
        name: "AccountEvent",
        about: "An event of your own stream. Its `id` is a place in it.",
        id: place,
        events: &[
            Event {
                name: "games",
                data: "RunningGames",
                about: "Your running games, once at the beginning.",
            },
            Event { name: "notice", data: "Notice", about: "Something that concerns you." },
        ],
    },
];

fn number() -> Value {
    json!({"type": "integer", "format": "int64", "minimum": 0})
}

fn place() -> Value {
    json!({"type": "string", "pattern": r"^[0-9]+(\.[0-9]+-[0-9]+)*$"})
}

/// Adds the events of each stream, and says at its operation how they are written.
///
/// # Panics
/// Where the document has no such operation: the handlers declare them.
pub fn describe(document: &mut Value) {
    // No other answer holds these.
    let schemas = components(document);
    schemas.insert("TournamentEntryEvent".to_owned(), json!(TournamentEntryEvent::schema()));
    schemas.insert("StandingsUpdate".to_owned(), json!(StandingsUpdate::schema()));
    schemas.insert("PlacedRow".to_owned(), json!(PlacedRow::schema()));
    for stream in STREAMS {
        let events: Vec<Value> = stream.events.iter().map(|event| schema(event, &(stream.id)())).collect();
        let schemas = components(document);
        schemas.insert(stream.name.to_owned(), json!({"description": stream.about, "oneOf": events}));
        let content = &mut document["paths"][stream.path]["get"]["responses"]["200"]["content"];
        let media = content.get_mut("text/event-stream").expect("the handlers declare streams");
        media["schema"] = json!({
            "type": "string",
            "description": format!(
                "Server-sent events. Each `{}` is written as the lines `event:`, `id:` and `data:`, and an empty line; \
                 `data` is JSON on one line. A stream begins with a line `retry:` that has no event, and lines that begin with \
                 a colon are comments.",
                stream.name
            ),
            "contentMediaType": "text/event-stream",
            "contentSchema": {"type": "array", "items": reference(stream.name)},
        });
    }
}

fn schema(event: &Event, id: &Value) -> Value {
    json!({
        "type": "object",
        "description": event.about,
        "properties": {
            "event": {"type": "string", "const": event.name},
            "id": id,
            "data": reference(event.data),
        },
        "required": ["event", "id", "data"],
    })
}
