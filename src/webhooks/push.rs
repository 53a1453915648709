//! Web Push: a message for a browser is encrypted so that only the browser reads it (RFC 8291), and the request to its push
//! service is signed by the house (VAPID, RFC 8292).

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::json;

/// The push services of the browsers: hosts, and domains whose hosts are all meant.
pub const SERVICES: [&str; 5] = [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
];

/// The size of a record, which a message must fit into. Push services take no more.
const RECORD: u32 = 4096;
/// How long a push service keeps a message for a browser that is away, in seconds.
pub const KEPT_FOR: u32 = 24 * 3600;
/// How long the house's signature holds, in seconds.
const SIGNED_FOR: i64 = 12 * 3600;

/// What a browser gives for those who send to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushKeys {
    /// Its P-256 key, uncompressed.
    pub key: [u8; 65],
    /// The secret that it shares.
    pub auth: [u8; 16],
}

/// What is fresh for each message.
pub struct Fresh {
    /// A private P-256 key.
    pub key: [u8; 32],
    pub salt: [u8; 16],
}

/// The key by which push services know the house.
pub struct HouseKey {
    pair: EcdsaKeyPair,
    /// The public half, as browsers take it for `applicationServerKey`.
    pub public: String,
    /// Where to reach whoever runs the service, if that is told: a URL, also `mailto:`.
    contact: Option<String>,
}

/// Whether messages may be sent to a push service of this host.
pub fn is_service(host: &str) -> bool {
    SERVICES.iter().any(|service| match service.strip_prefix('.') {
        Some(_) => host.ends_with(service),
        None => host == *service,
    })
}

/// A length for HKDF.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

impl PushKeys {
    /// The keys, if the first is a point of the curve.
    pub fn new(key: &[u8], auth: &[u8]) -> Option<PushKeys> {
        let keys = PushKeys { key: key.try_into().ok()?, auth: auth.try_into().ok()? };
        // A trial finds what is no point.
        keys.encrypt("", &Fresh { key: [1; 32], salt: [0; 16] }).is_ok().then_some(keys)
    }

    /// The message, encrypted for the browser in one record.
    ///
    /// # Errors
    /// Where the browser's key is no point of the curve, the fresh key is none, or the message is too long.
    pub fn encrypt(&self, message: &str, fresh: &Fresh) -> Result<Vec<u8>, Unspecified> {
        let own = PrivateKey::from_private_key(&ECDH_P256, &fresh.key).map_err(|_| Unspecified)?;
        let own_public = own.compute_public_key()?;
        let browser = UnparsedPublicKey::new(&ECDH_P256, &self.key);
        let shared = agree(&own, browser, Unspecified, |shared| Ok(shared.to_vec()))?;
        let info = [b"WebPush: info\0".as_slice(), &self.key, own_public.as_ref()];
        let input: [u8; 32] = derive(&self.auth, &shared, &info)?;
        let key: [u8; 16] = derive(&fresh.salt, &input, &[b"Content-Encoding: aes128gcm\0"])?;
        let nonce: [u8; 12] = derive(&fresh.salt, &input, &[b"Content-Encoding: nonce\0"])?;

        // The last record ends with a 2.
        let mut sealed = [message.as_bytes(), &[2]].concat();
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
        cipher.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed)?;
        let public = own_public.as_ref();
        let head = [&fresh.salt, RECORD.to_be_bytes().as_slice(), &[public.len() as u8], public].concat();
        if sealed.len() > RECORD as usize - head.len() {
            return Err(Unspecified);
        }
        Ok([head, sealed].concat())
    }
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut derived = [0; N];
    Salt::new(HKDF_SHA256, salt).extract(secret).expand(info, Length(N))?.fill(&mut derived)?;
    Ok(derived)
}

impl HouseKey {
    /// The key of these secret bytes; none where they are no key, which one in four thousand million is not.
    pub fn new(secret: &[u8; 32], contact: Option<String>) -> Option<HouseKey> {
        let private = PrivateKey::from_private_key(&ECDH_P256, secret).ok()?;
        let public = private.compute_public_key().ok()?;
        let pair = EcdsaKeyPair::from_private_key_and_public_key(
            &ECDSA_P256_SHA256_FIXED_SIGNING,
            secret,
            public.as_ref(),
        );
        Some(HouseKey { pair: pair.ok()?, public: URL_SAFE_NO_PAD.encode(public.as_ref()), contact })
    }

    /// The value of `Authorization` for requests to the push service of this origin.
    ///
    /// # Errors
    /// Where the system provides no randomness.
    pub fn authorization(&self, origin: &str, now: Timestamp) -> Result<String, Unspecified> {
        let mut claims = json!({"aud": origin, "exp": now.as_second() + SIGNED_FOR});
        if let Some(contact) = &self.contact {
            claims["sub"] = json!(contact);
        }
        let parts = [json!({"typ": "JWT", "alg": "ES256"}), claims];
        let [head, claims] = parts.map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = format!("{head}.{claims}");
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes())?;
        let signature = URL_SAFE_NO_PAD.encode(signature.as_ref());
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        URL_SAFE_NO_PAD.decode(text).unwrap().try_into().unwrap()
    }

    #[test]
    fn a_message_is_encrypted_as_the_specification_s_example() {
        // RFC 8291, section 5.
        let keys = PushKeys {
            key: bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            ),
            auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        };
        let fresh = Fresh {
            key: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
        };
        let encrypted = keys.encrypt("When I grow up, I want to be a watermelon", &fresh).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(encrypted), expected);
        assert!(keys.encrypt(&"x".repeat(3993), &fresh).is_ok());
        assert!(keys.encrypt(&"x".repeat(3994), &fresh).is_err());
    }

    #[test]
    fn what_is_no_point_is_no_key() {
        assert!(PushKeys::new(&[4; 65], &[0; 16]).is_none());
        assert!(PushKeys::new(&[0; 10], &[0; 16]).is_none());
    }

    #[test]
    fn only_push_services_are_push_services() {
        for host in [
            "fcm.googleapis.com",
            "updates.push.services.mozilla.com",
            "web.push.apple.com",
            "wns2-par02p.notify.windows.com",
        ] {
            assert!(is_service(host), "{host}");
        }
        for host in [
            "example.com",
            "evilfcm.googleapis.com",
            "push.apple.com.example.com",
            "notify.windows.com.evil",
            "",
        ] {
            assert!(!is_service(host), "{host}");
        }
    }
}
