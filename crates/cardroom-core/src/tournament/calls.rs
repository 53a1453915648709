//! Calls for a referee: an entrant asks, and an organiser sees to it.

use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

use super::acts::{Call, CallAnswered, RefereeCalled};
use super::bounds::{check_number, check_text};
use super::entrants::Person;
use super::state::Tournament;
use crate::rules::Refusal;

/// The most characters of a call, and of an answer.
pub const CALL_MAX: usize = 200;
/// The most calls of a tournament.
const MAX_CALLS: usize = 10_000;
/// The most calls of an entrant, and how many of them can be open.
const MAX_CALLS_EACH: usize = 50;
const MAX_OPEN_EACH: usize = 3;

impl Tournament {
    /// All calls, the oldest first.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    pub(super) fn call_referee(&self, actor: &Person, text: &str) -> Result<RefereeCalled, Refusal> {
        self.check_active()?;
        let registration = self.entrant_of(actor.account);
        let not_entered = || Refusal::new("not_entered", "you are not on the list of this tournament");
        let entrant = registration.ok_or_else(not_entered)?.entrant.number;
        check_text("text", text, CALL_MAX)?;
        self.check_calls(Some(actor.account))?;
        Ok(RefereeCalled { call: self.calls.len() as u32 + 1, entrant, text: text.to_owned() })
    }

    fn check_calls(&self, account: Option<Uuid>) -> Result<(), Refusal> {
        check_number("calls for a referee", self.calls.len(), MAX_CALLS)?;
        let own = || self.calls.iter().filter(|call| call.account == account);
        if own().count() >= MAX_CALLS_EACH
            || own().filter(|call| call.answer.is_none()).count() >= MAX_OPEN_EACH
        {
            let detail = format!(
                "an entrant has at most {MAX_OPEN_EACH} open calls, and {MAX_CALLS_EACH} in a tournament"
            );
            return Err(Refusal::new("too_many_calls", detail));
        }
        Ok(())
    }

    /// None where it was answered already: asking twice does no harm.
    pub(super) fn answer_call(&self, call: u32, answer: &str) -> Result<Option<CallAnswered>, Refusal> {
        self.check_not_aborted()?;
        let known = self.calls.get((call as usize).wrapping_sub(1));
        let known = known.ok_or_else(|| Refusal::new("call_not_found", "there is no such call"))?;
        if known.answer.is_some() {
            return Ok(None);
        }
        if !answer.is_empty() {
            check_text("answer", answer, CALL_MAX)?;
        }
        Ok(Some(CallAnswered { call, answer: answer.to_owned() }))
    }

    pub(super) fn can_be_called(&self, called: &RefereeCalled) -> Result<(), String> {
        let RefereeCalled { call, entrant, text } = called;
        if *call as usize != self.calls.len() + 1 || *entrant as usize >= self.entrants.len() {
            return Err("calls are numbered in order, and come from entrants".to_owned());
        }
        let account = self.entrants[*entrant as usize].entrant.account();
        let checked = self.check_active().and_then(|()| check_text("text", text, CALL_MAX));
        checked.and_then(|()| self.check_calls(account)).map_err(|refusal| refusal.detail)
    }

    pub(super) fn can_be_answered(&self, CallAnswered { call, answer }: &CallAnswered) -> Result<(), String> {
        match self.answer_call(*call, answer) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err("the call was answered already".to_owned()),
            Err(refusal) => Err(refusal.detail),
        }
    }

    pub(super) fn apply_called(&mut self, called: &RefereeCalled, at: Timestamp) {
        let RefereeCalled { call: number, entrant, text } = called.clone();
        let who = &self.entrants[entrant as usize].entrant;
        let (player, account) = (who.name().to_owned(), who.account());
        Arc::make_mut(&mut self.calls).push(Call { number, player, account, text, at, answer: None });
    }

    pub(super) fn apply_answered(&mut self, answered: &CallAnswered, at: Timestamp, by: String) {
        let calls = Arc::make_mut(&mut self.calls);
        calls[answered.call as usize - 1].answer = Some((at, by, answered.answer.clone()));
    }
}
