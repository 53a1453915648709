//! What texts and numbers of acts are bounded by.

use crate::rules::Refusal;

pub(super) fn check_text(field: &str, text: &str, most: usize) -> Result<(), Refusal> {
    let is_odd = |letter: char| letter.is_control() && letter != '\n';
    if (1..=most).contains(&text.trim().chars().count())
        && text.chars().count() <= most
        && !text.chars().any(is_odd)
    {
        return Ok(());
    }
    Err(Refusal::new(
        "invalid_body",
        format!("{field}: 1 to {most} characters, none of them a control character"),
    ))
}

pub(super) fn check_number(what: &str, there: usize, most: usize) -> Result<(), Refusal> {
    if there < most {
        return Ok(());
    }
    Err(Refusal::new("too_many_changes", format!("a tournament has at most {most} {what}")))
}
