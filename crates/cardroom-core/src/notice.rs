//! Notices: what an account is told of the games and tournaments that concern it. A notice says where to look, and
//! nothing of what is hidden.

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::entry::{Policy, Time};
use crate::rules::registry::KindName;
use crate::table::view::Status;
use crate::tournament::acts::THOUSANDTHS;
use crate::tournament::{Ratio, Role, Status as TournamentStatus};

/// Declares the notices and their types: the variants have the names of their contents.
macro_rules! notice {
    ($($name:ident,)*) => {
        /// Something that concerns you. It says where to look, and nothing of what is hidden.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(tag = "type", rename_all = "snake_case")]
        pub enum Notice {
            $($name($name),)*
        }

        /// What a notice tells.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum NoticeType {
            $($name,)*
        }

        impl NoticeType {
            pub const ALL: &[NoticeType] = &[$(NoticeType::$name,)*];
        }

        impl Notice {
            pub fn notice_type(&self) -> NoticeType {
                match self {
                    $(Notice::$name(_) => NoticeType::$name,)*
                }
            }

            /// Names the notice: the game or the tournament, and the entry of its log.
            pub fn id(&self) -> &str {
                match self {
                    $(Notice::$name(notice) => &notice.id,)*
                }
            }

            /// When it happened.
            pub fn at(&self) -> Time {
                match self {
                    $(Notice::$name(notice) => notice.at,)*
                }
            }
        }
    };
}

notice! {
    SeatTaken,
    SeatLeft,
    Removed,
    GameStarted,
    YourTurn,
    Resigned,
    AbortAgreed,
    GameOver,
    RematchOffered,
    TournamentEntered,
    PlaceFreed,
    OrganiserNamed,
    TournamentStarted,
    RoundDrawn,
    Disqualified,
    Reinstated,
    MarkedAbsent,
    Penalised,
    RefereeCalled,
    CallAnswered,
    Announcement,
    TournamentOver,
}

/// Which game it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameReference {
    pub id: Uuid,
    #[schema(value_type = KindName)]
    pub kind: &'static str,
    /// The version that the entry made.
    pub version: u32,
}

/// Which tournament it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TournamentReference {
    pub id: Uuid,
    pub name: String,
    #[schema(value_type = KindName)]
    pub kind: &'static str,
    /// The version that the entry made.
    pub version: u32,
}

/// Declares the notices of a topic: all have an id, a time and the topic.
macro_rules! notices {
    ($topic:ident: $reference:ty; $($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $field:ident: $form:ty,)* })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
        pub struct $name {
            /// Names the notice: the game or the tournament, and the entry of its log. It is the same wherever the
            /// notice is sent.
            pub id: String,
            #[schema(value_type = String, format = DateTime)]
            pub at: Time,
            pub $topic: $reference,
            $($(#[$of])* pub $field: $form,)*
        }
    )*};
}

notices! { game: GameReference;
    /// Somebody else has sat down at your table.
    SeatTaken {
        seat: u8,
        /// The player's name; null for a bot.
        #[schema(required)]
        player: Option<String>,
        /// The bot's policy; null for a player.
        #[schema(required)]
        bot: Option<Policy>,
    }
    /// Somebody else has stood up from your table.
    SeatLeft {
        seat: u8,
        player: String,
    }
    /// The game's creator has removed you from your seat.
    Removed {
        /// The seat that you had.
        seat: u8,
    }
    /// Your game has started.
    GameStarted {
        /// Your seat; null if you only created the game.
        #[schema(required)]
        seat: Option<u8>,
    }
    /// The game waits for you. There is one notice for each decision, and you may have acted by the time it comes: compare
    /// `game.version` with the game's.
    YourTurn {
        /// Your seat.
        seat: u8,
        /// When the clock acts for the first seat that the game waits for; null without a clock.
        #[schema(value_type = Option<String>, format = DateTime, required)]
        deadline: Option<Time>,
    }
    /// Somebody else at your table has resigned. The house plays for them.
    Resigned {
        seat: u8,
        player: String,
    }
    /// Somebody else at your table wants to call the game off. It is called off when all players agree.
    AbortAgreed {
        seat: u8,
        player: String,
    }
    /// Your game is over.
    GameOver {
        status: Status,
        /// Your seat; null if you only created the game.
        #[schema(required)]
        seat: Option<u8>,
        /// Your place; null if you did not play, or the game was called off.
        #[schema(required)]
        place: Option<u8>,
        /// Your score; null if you did not play, or the game was called off.
        #[schema(required)]
        score: Option<i64>,
    }
    /// A player of a game that you have played wants to play it again. Ask for the rematch to take your seat.
    RematchOffered {
        /// The game that you have played.
        rematch_of: Uuid,
    }
}

notices! { tournament: TournamentReference;
    /// An organiser has entered you.
    TournamentEntered {}
    /// A place has become free, and it is yours: you wait no longer.
    PlaceFreed {}
    /// You organise a tournament, or have another role in it.
    OrganiserNamed {
        role: Role,
    }
    /// A tournament that you have entered or organise has started.
    TournamentStarted {}
    /// A round was drawn.
    RoundDrawn {
        /// From 1.
        round: u16,
        /// Your table, from 1; null if you do not play in this round.
        #[schema(required)]
        table: Option<u16>,
        /// The game at your table; null if you do not play in this round.
        #[schema(required)]
        game_id: Option<Uuid>,
    }
    /// You were disqualified.
    Disqualified {
        reason: String,
    }
    /// You are in the tournament again, after you had withdrawn or were disqualified.
    Reinstated {}
    /// You did not play a round, and are out of the next ones until you check in.
    MarkedAbsent {
        /// From 1.
        round: u16,
    }
    /// An entrant of a tournament that you organise asks for a referee.
    RefereeCalled {
        /// From 1.
        call: u32,
        /// The entrant's name.
        player: String,
        text: String,
    }
    /// An organiser has seen to your call for a referee.
    CallAnswered {
        /// From 1.
        call: u32,
        /// Empty where nothing was said.
        answer: String,
    }
    /// An organiser has added to what you have earned, or taken off.
    Penalised {
        reason: String,
        /// What the result changes by.
        #[schema(value_type = f64)]
        result: Thousandths,
        /// What the score changes by.
        score: i64,
    }
    /// An organiser says something to everybody in a tournament that you have entered or organise.
    Announcement {
        text: String,
    }
    /// A tournament that you have entered or organise is over.
    TournamentOver {
        status: TournamentStatus,
    }
}

/// A number that is kept in thousandths. In JSON it is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thousandths(pub i64);

impl Serialize for Thousandths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Ratio::new(self.0.into(), THOUSANDTHS.into()).serialize(serializer)
    }
}

/// The id of what an entry brings.
pub fn notice_id(topic: Uuid, seq: u32) -> String {
    format!("{topic}:{seq}")
}
