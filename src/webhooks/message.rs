//! What is sent to a webhook, and how it is signed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cardroom_core::log::entry::Time;
use cardroom_core::notice::{Notice, NoticeType};
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use sha2::Sha256;
use uuid::Uuid;

use crate::store::webhooks::Secret;

/// A message to a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The same at each attempt.
    pub id: String,
    pub message_type: String,
    /// JSON: the type, the time, and the data.
    pub body: String,
}

impl Message {
    /// A notice.
    pub fn of(notice: &Notice) -> Message {
        Message::new(notice.id().to_owned(), word(notice.notice_type()), notice.at(), notice)
    }

    /// A message that its owner asks for, to try the webhook.
    pub fn test(id: Uuid, at: Timestamp) -> Message {
        Message::new(format!("test-{id}"), "test".to_owned(), Time(at), &json!({}))
    }

    /// Says that some notices are not sent, because too much has happened since the last one.
    pub fn gap(id: Uuid, at: Timestamp) -> Message {
        Message::new(format!("gap-{id}"), "gap".to_owned(), Time(at), &json!({}))
    }

    fn new(id: String, message_type: String, at: Time, data: &impl Serialize) -> Message {
        #[derive(Serialize)]
        struct Body<'b, T> {
            #[serde(rename = "type")]
            type_: &'b str,
            timestamp: Time,
            data: &'b T,
        }
        let body = Body { type_: &message_type, timestamp: at, data };
        let body = serde_json::to_string(&body).expect("a message has string keys and plain values");
        Message { id, message_type, body }
    }
}

/// The word for a type of notices, as the notices have it.
pub fn word(type_: NoticeType) -> String {
    let word = serde_json::to_value(type_).expect("a type is a word");
    word.as_str().unwrap_or_default().to_owned()
}

/// A secret as its owner gets it.
pub fn secret_text(secret: &Secret) -> String {
    format!("whsec_{}", STANDARD.encode(secret.bytes))
}

/// The value of `webhook-signature`: a signature for each secret. `at`: in whole seconds since 1970.
pub fn signatures(secrets: &[Secret], id: &str, at: i64, body: &str) -> String {
    let sign = |secret: &Secret| {
        let mac = Hmac::<Sha256>::new_from_slice(&secret.bytes).expect("HMAC takes keys of every length");
        let signed = mac.chain_update(format!("{id}.{at}.{body}")).finalize().into_bytes();
        format!("v1,{}", STANDARD.encode(signed))
    };
    secrets.iter().map(sign).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_signed_as_the_specification_s_example() {
        // From the specification: secret, id, time and body.
        let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let bytes = STANDARD.decode(secret).unwrap();
        assert_eq!(bytes.len(), 24, "the example's secret is shorter than ours");
        let mac = Hmac::<Sha256>::new_from_slice(&bytes).unwrap();
        let body = r#"{"test": 2432232314}"#;
        let signed = mac
            .chain_update(format!("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{body}"))
            .finalize()
            .into_bytes();
        assert_eq!(STANDARD.encode(signed), "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
