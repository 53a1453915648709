//! What a player is told about a game: its guide, and what its options, cards, actions and facts are called and mean.
//! What each kind tells stands in its folder: the texts as files, and the numbers in `guide.rs`.

use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::rules::cards::CardInfo;
use crate::rules::profile::{CardRole, Profile, RankedHand};
use crate::rules::registry::Kind;
use crate::rules::texts::{Language, Text, Texts, Titled};

/// A kind of game, told to a player.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KindTexts {
    /// The language of the texts (RFC 5646).
    #[schema(example = "en")]
    pub language: &'static str,
    pub guide: Guide,
    /// The options, in the order of the schema.
    pub options: Vec<OptionText>,
    /// Every card, in the order before a shuffle.
    pub cards: Vec<CardText>,
    /// The actions that a player can take.
    pub actions: Vec<ActionText>,
    /// What can happen in the game, as facts tell of it.
    pub facts: Vec<FactText>,
    /// The hands that the kind ranks, the highest first; empty where it ranks none.
    pub hands: Vec<HandText>,
}

/// The rules of a game as a player reads them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Guide {
    pub aim: Text,
    pub setup: Vec<Text>,
    /// A turn, or a hand, step by step.
    pub turn: Vec<Text>,
    pub scoring: Vec<Text>,
    /// How ties are broken.
    pub ties: Vec<Text>,
    pub variants: Vec<Text>,
    /// Where the game comes from, and who plays it.
    pub lore: Vec<Text>,
    pub credits: Credits,
    pub facts: Profile,
}

/// Whose design a game is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Credits {
    pub author: Text,
    /// The document from which the rules were taken.
    pub source: Text,
}

/// An option, with what each of its values means.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OptionText {
    #[schema(example = "kings")]
    pub name: String,
    #[serde(flatten)]
    pub words: Titled,
    /// The values to choose from; empty where the option is a number or a list.
    pub values: Vec<ValueText>,
}

/// A value of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ValueText {
    /// A word, or true or false.
    #[schema(value_type = OptionValue)]
    pub value: Value,
    #[serde(flatten)]
    pub words: Titled,
}

/// A value that an option can have.
#[derive(Debug, ToSchema)]
#[schema(as = OptionValue)]
#[serde(untagged)]
pub enum OptionValue {
    Word(String),
    Flag(bool),
}

/// A card, with what it counts and does.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CardText {
    /// The card as it stands in logs and views.
    #[schema(example = "QS")]
    pub card: String,
    /// Its full name.
    pub name: Text,
    /// What it counts by itself, with the default options; null where cards have no value of their own.
    #[schema(required)]
    pub value: Option<i32>,
    /// What it does; null where there is nothing to say.
    #[schema(required)]
    pub role: Option<Titled>,
}

/// An action that a player can take.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ActionText {
    /// The `type` of the action in `legal_actions`.
    #[serde(rename = "type")]
    #[schema(example = "raise")]
    pub name: String,
    #[serde(flatten)]
    pub words: Titled,
    pub params: Vec<ParamText>,
}

/// A parameter of an action.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ParamText {
    #[schema(example = "by")]
    pub name: String,
    #[serde(flatten)]
    pub words: Titled,
    /// What the words mean that can be chosen; empty where the parameter takes something else.
    pub values: Vec<ValueText>,
}

/// Something that can happen.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FactText {
    /// The `type` of the fact.
    #[serde(rename = "type")]
    #[schema(example = "pot_won")]
    pub name: String,
    #[serde(flatten)]
    pub words: Titled,
}

/// A hand that the kind ranks.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HandText {
    /// Its number in the table, 1 for the highest.
    #[schema(minimum = 1)]
    pub number: u8,
    /// Its name in logs and views.
    #[schema(example = "royal_house")]
    pub name: String,
    pub key: String,
    pub title: String,
    /// What cards it takes.
    pub takes: String,
    /// Cards that make it.
    pub example: Vec<&'static str>,
}

impl Kind {
    /// All texts of this kind in a language.
    pub fn texts(&self, language: Language) -> Texts {
        Texts::of(self.kind, self.translations, language)
    }

    /// This kind, told to a player.
    ///
    /// # Panics
    /// Where a text is missing in English, which a test rules out.
    pub fn player_texts(&self, language: Language) -> KindTexts {
        let texts = self.texts(language);
        let schemas = (self.schemas)();
        KindTexts {
            language: language.tag(),
            guide: guide(&texts, self.profile),
            options: options(&texts, &json!(schemas.options)),
            cards: self.cards(&texts),
            actions: variants(&json!(schemas.action))
                .map(|(name, action)| action_of(&texts, name, action))
                .collect(),
            facts: variants(&json!(schemas.fact)).map(|(name, _)| fact_of(&texts, name)).collect(),
            hands: (self.hands)().into_iter().map(|hand| hand_of(&texts, hand)).collect(),
        }
    }

    /// The schema of the options, in which each option has its title, and each value that can be chosen has one, too.
    pub fn titled_options_schema(&self, language: Language) -> Value {
        let texts = self.texts(language);
        let mut schema = json!((self.schemas)().options);
        for (name, property) in schema["properties"].as_object_mut().into_iter().flatten() {
            let words = texts.titled(&format!("option.{name}"));
            let values = values(&texts, &format!("option.{name}"), property);
            property["title"] = json!(words.title);
            property["description"] = json!(words.text);
            if !values.is_empty() {
                let values = values.into_iter().map(|ValueText { value, words }| {
                    json!({"const": value, "title": words.title, "description": words.text})
                });
                property["oneOf"] = values.collect();
                property.as_object_mut().map(|property| property.remove("enum"));
            }
        }
        schema
    }

    fn cards(&self, texts: &Texts) -> Vec<CardText> {
        let told = |(CardInfo { card, .. }, role): (CardInfo, CardRole)| CardText {
            card: card.to_string(),
            name: texts.card(&card),
            value: role.value,
            role: role.role.map(|role| texts.titled(&format!("role.{role}"))),
        };
        (self.deck)().into_iter().zip((self.roles)()).map(told).collect()
    }
}

fn guide(texts: &Texts, facts: Profile) -> Guide {
    Guide {
        aim: texts.text("guide.aim"),
        setup: texts.steps("guide.setup"),
        turn: texts.steps("guide.turn"),
        scoring: texts.steps("guide.scoring"),
        ties: texts.steps("guide.ties"),
        variants: texts.steps("guide.variants"),
        lore: texts.steps("guide.lore"),
        credits: Credits { author: texts.text("credits.author"), source: texts.text("credits.source") },
        facts,
    }
}

fn options(texts: &Texts, schema: &Value) -> Vec<OptionText> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let told = |(name, property): (&String, &Value)| {
        let stem = format!("option.{name}");
        OptionText { name: name.clone(), words: texts.titled(&stem), values: values(texts, &stem, property) }
    };
    properties.map(told).collect()
}

/// The values of an option or a parameter that can be told one by one: words, and true and false.
fn values(texts: &Texts, stem: &str, schema: &Value) -> Vec<ValueText> {
    let values = match schema["type"].as_str() {
        Some("boolean") => vec![json!(true), json!(false)],
        _ => schema["enum"].as_array().cloned().unwrap_or_default(),
    };
    let told = |value: Value| {
        let name = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        ValueText { words: texts.titled(&format!("{stem}.value.{name}")), value }
    };
    values.into_iter().map(told).collect()
}

/// The variants of a tagged union, each with the value of its `type`. A variant that holds another type has its `type`
/// beside that, in `allOf`.
fn variants(schema: &Value) -> impl Iterator<Item = (String, Value)> {
    let variants = schema["oneOf"].as_array().cloned().unwrap_or_default();
    variants.into_iter().filter_map(|variant| {
        let parts = variant["allOf"].as_array().into_iter().flatten().chain([&variant]);
        let name = parts.map(|part| &part["properties"]["type"]).find_map(tag)?;
        Some((name, variant))
    })
}

/// The one value that a tag has.
fn tag(schema: &Value) -> Option<String> {
    schema["const"].as_str().or_else(|| schema["enum"][0].as_str()).map(str::to_owned)
}

fn action_of(texts: &Texts, name: String, schema: Value) -> ActionText {
    let stem = format!("action.{name}");
    let properties = schema["properties"].as_object().into_iter().flatten();
    let params = properties.filter(|(param, _)| *param != "type").map(|(param, property)| {
        let stem = format!("{stem}.param.{param}");
        ParamText { name: param.clone(), words: texts.titled(&stem), values: values(texts, &stem, property) }
    });
    let params = params.collect();
    ActionText { words: texts.titled(&stem), name, params }
}

fn fact_of(texts: &Texts, name: String) -> FactText {
    FactText { words: texts.titled(&format!("fact.{name}")), name }
}

fn hand_of(texts: &Texts, hand: RankedHand) -> HandText {
    let stem = format!("hand.{}", hand.name);
    let Titled { key, title, .. } = texts.titled(&stem);
    let takes = texts.text(&format!("{stem}.takes")).text;
    HandText { number: hand.number, name: hand.name, key, title, takes, example: hand.example }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::registry;

    /// Every key that the API gives out for a kind.
    fn keys(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("key").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|value| keys(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_kind_is_told_whole_in_every_language_and_no_text_is_left_over() {
        for kind in registry::newest() {
            for language in Language::ALL {
                let (_, file) = kind.translations.iter().find(|(own, _)| *own == language).unwrap();
                let file: serde_json::Map<String, Value> = serde_json::from_str(file).unwrap();
                let mut told = BTreeSet::from(["name", "summary"].map(|key| format!("{}.{key}", kind.kind)));
                keys(&json!(kind.player_texts(language)), &mut told);
                // The deck has the words for these, and the ranking tells of no hand.
                let elsewhere = ["face.", "sex.", "race.", "hand.nothing."];
                for (key, text) in &file {
                    assert!(text.as_str().is_some_and(|text| !text.trim().is_empty()), "{key}");
                    let stem = [".title", ".text", ".takes"].iter().find_map(|end| key.strip_suffix(end));
                    let given = [key.as_str(), stem.unwrap_or(key)].map(|key| format!("{}.{key}", kind.kind));
                    let is_given = given.iter().any(|key| told.contains(key));
                    assert!(
                        is_given || elsewhere.iter().any(|start| key.starts_with(start)),
                        "nobody is told {key}"
                    );
                }
                let english = kind.player_texts(Language::English);
                let guide = kind.player_texts(language).guide;
                let lengths = |guide: &Guide| {
                    [&guide.setup, &guide.turn, &guide.scoring, &guide.ties, &guide.variants, &guide.lore]
                        .map(Vec::len)
                };
                assert_eq!(lengths(&guide), lengths(&english.guide), "{} {language:?}", kind.kind);
                assert!(lengths(&guide).iter().all(|&steps| steps > 0), "{} {language:?}", kind.kind);
            }
        }
    }

    #[test]
    fn players_are_told_what_the_clock_does_how_long_cards_are_hidden_and_what_the_least_raise_is() {
        for (language, clock, hidden, least) in [
            (Language::English, "your time runs out", "until the game is over", "the ante of the first hand"),
            (Language::German, "deine Zeit ab", "zum Ende des Spiels", "der Grundeinsatz der ersten"),
        ] {
            for kind in registry::newest() {
                let turn = kind.player_texts(language).guide.turn;
                assert!(turn.iter().any(|step| step.text.contains(clock)), "{} {language:?}", kind.kind);
            }
            for (kind, key, told) in [
                ("sevens", "guide.turn.8", hidden),
                ("sevens", "guide.turn.9", hidden),
                ("knights_heads", "guide.turn.11", hidden),
                ("knights_heads", "action.fold.text", hidden),
                // With rising antes it does not rise.
                ("sevens", "option.min_raise.text", least),
                ("knights_heads", "option.min_raise.text", least),
            ] {
                let text = registry::by_name(kind).unwrap().texts(language).text(key).text;
                assert!(text.contains(told), "{kind} {key}: {text}");
            }
        }
    }

    #[test]
    fn a_value_of_an_option_has_a_title_in_the_schema_and_still_only_the_values_are_accepted() {
        for kind in registry::newest() {
            let (plain, told) =
                (json!((kind.schemas)().options), kind.titled_options_schema(Language::German));
            for (name, property) in plain["properties"].as_object().unwrap() {
                let told = &told["properties"][name];
                assert!(told["title"].as_str().is_some_and(|title| !title.is_empty()), "{name}");
                let choices = values(&kind.texts(Language::German), &format!("option.{name}"), property);
                assert_eq!(told["oneOf"].as_array().map_or(0, Vec::len), choices.len(), "{name}");
                for ValueText { value, .. } in choices {
                    assert!(jsonschema::is_valid(told, &value), "{name}: {value}");
                }
                if told.get("oneOf").is_some() {
                    assert!(!jsonschema::is_valid(told, &json!("no such value")), "{name}");
                }
            }
        }
    }
}
