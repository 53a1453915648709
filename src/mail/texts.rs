//! What the mails say. A link has its code after the `#`, so that no log of a proxy shows it.

use lettre::Address;

use crate::mail::Mail;

/// Asks for a confirmation that mail for this player arrives there.
pub fn confirmation(to: Address, username: &str, code: &str, public_url: &str) -> Mail {
    let text = format!(
        "Somebody who knows the password of {username} at {public_url} wants mail to come to this address.\n\n\
         If that is you, open this within a day:\n\n\
         {public_url}/me?confirm#{code}\n\n\
         If not, do nothing: no more mail comes.\n"
    );
    Mail { to, subject: "Confirm your address", text }
}

/// Tells the address that had been confirmed that another one takes its place.
pub fn replacement(to: Address, username: &str, public_url: &str) -> Mail {
    let text = format!(
        "The account {username} at {public_url} has another mail address from now on.\n\n\
         If you have not changed it, somebody else knows your password. Sign in and change it, or use a recovery code, at\n\n\
         {public_url}/me?recover\n"
    );
    Mail { to, subject: "Your mail address was changed", text }
}

/// Lets a player back in who has lost the password.
pub fn recovery(to: Address, username: &str, code: &str, public_url: &str) -> Mail {
    let text = format!(
        "Somebody wants a new password for {username} at {public_url}.\n\n\
         If that is you, open this within an hour and choose one:\n\n\
         {public_url}/me?recover#{username}={code}\n\n\
         If not, do nothing: the password stays as it is. Keep the code to yourself.\n"
    );
    Mail { to, subject: "A new password", text }
}

/// Tells the owner of a webhook that nothing is sent to it any more.
pub fn disabled_webhook(to: Address, username: &str, url: &str, reason: &str, public_url: &str) -> Mail {
    let why = match reason {
        "gone" => "it answered that it is gone (410)",
        _ => "it has taken no message for three days",
    };
    let text = format!(
        "The webhook of {username} at {public_url} that leads to\n\n\
         {url}\n\n\
         is disabled, because {why}. What has failed, and how to enable it again, is at\n\n\
         {public_url}/me\n"
    );
    Mail { to, subject: "Your webhook was disabled", text }
}
