//! The texts that tell a game to its players: a file for each kind and each language, and one for the cards that several
//! kinds share. Every text has a key that never changes, so that a frontend can bring words of its own.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

/// A language in which the games are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    English,
    German,
}

impl Language {
    /// All of them, the one that has every text first.
    pub const ALL: [Language; 2] = [Language::English, Language::German];

    /// The language's tag (RFC 5646), as `Accept-Language` has it.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
    }

    /// The texts that all kinds share.
    const fn shared(self) -> &'static str {
        match self {
            Language::English => include_str!("texts/en.json"),
            Language::German => include_str!("texts/de.json"),
        }
    }
}

/// A kind's texts: for each language the content of its file, a JSON object of keys and texts.
pub type Translations = &'static [(Language, &'static str)];

/// A text and its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Text {
    /// Stable, unique among all texts of the service.
    #[schema(example = "royal_gambit.guide.turn.2")]
    pub key: String,
    pub text: String,
}

/// What something is called and, where there is more to say, what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Titled {
    /// Stable, unique among all texts of the service.
    #[schema(example = "royal_gambit.role.hot_potato")]
    pub key: String,
    #[schema(example = "Hot Potato")]
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub text: Option<String>,
}

/// The texts of a kind in one language. What a language lacks is in English.
pub struct Texts {
    kind: &'static str,
    own: BTreeMap<String, String>,
    shared: BTreeMap<String, String>,
}

impl Texts {
    /// # Panics
    /// Where a file is no JSON object of texts: the files are part of the program, and a test reads them.
    pub fn of(kind: &'static str, translations: Translations, language: Language) -> Texts {
        let read = |text: &str| -> BTreeMap<String, String> {
            serde_json::from_str(text).expect("a file of texts is a JSON object of strings")
        };
        let (mut own, mut shared) = (BTreeMap::new(), BTreeMap::new());
        for wanted in [Language::English, language] {
            let file = translations.iter().find(|(language, _)| *language == wanted);
            own.extend(file.map(|(_, text)| read(text)).unwrap_or_default());
            shared.extend(read(wanted.shared()));
        }
        Texts { kind, own, shared }
    }

    /// The text under this key, if there is one.
    pub fn find(&self, key: &str) -> Option<Text> {
        let text = self.own.get(key)?.clone();
        Some(Text { key: format!("{}.{key}", self.kind), text })
    }

    /// The text under this key.
    ///
    /// # Panics
    /// Where there is none: a test asks for every text that a kind needs.
    pub fn text(&self, key: &str) -> Text {
        self.find(key).unwrap_or_else(|| panic!("{} has no text `{key}`", self.kind))
    }

    /// The texts `stem.1`, `stem.2` and so on.
    pub fn steps(&self, stem: &str) -> Vec<Text> {
        (1..).map_while(|step| self.find(&format!("{stem}.{step}"))).collect()
    }

    /// The texts `stem.title` and, if there is one, `stem.text`.
    ///
    /// # Panics
    /// Where there is no title.
    pub fn titled(&self, stem: &str) -> Titled {
        let title = self.text(&format!("{stem}.title")).text;
        let text = self.find(&format!("{stem}.text")).map(|text| text.text);
        Titled { key: format!("{}.{stem}", self.kind), title, text }
    }

    /// The name of a card: the kind's own, or that of a French card.
    ///
    /// # Panics
    /// Where it has no name.
    pub fn card(&self, card: &str) -> Text {
        self.find(&format!("card.{card}.name")).unwrap_or_else(|| {
            let key = format!("card.{card}");
            let text = self.shared.get(&key).unwrap_or_else(|| panic!("no text `{key}`")).clone();
            Text { key, text }
        })
    }
}
