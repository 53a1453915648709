//! What all streams have in common: a cursor, which gives one event after the other.

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::runtime::error::ServiceError;

/// A client's position in what it follows: a game, the lobby or a tournament.
pub trait Cursor {
    /// What has happened.
    type Event;

    /// Whether no event will ever come, on any replica. A replica that closes its streams says nothing of that.
    fn is_done(&self) -> bool;

    /// Moves on to the next event, or towards it. If the future is dropped, no event is lost.
    ///
    /// # Errors
    /// [`ServiceError`] where the next event cannot be read.
    fn advance(&mut self) -> impl Future<Output = Result<Step<Self::Event>, ServiceError>>;
}

/// How far a cursor has moved.
pub enum Step<E> {
    /// The next event. Each comes once, and in order.
    Event(E),
    /// There is no event yet, or the next one does not concern the client.
    Pending,
    End(End),
}

impl<E> Step<E> {
    /// The same step, with another form of the event.
    pub fn map<F>(self, form: impl FnOnce(E) -> F) -> Step<F> {
        match self {
            Step::Event(event) => Step::Event(form(event)),
            Step::Pending => Step::Pending,
            Step::End(end) => Step::End(end),
        }
    }
}

/// Why no event follows.
pub enum End {
    /// That was the last one, or the service closes all streams.
    Complete,
    /// The client may see the game no longer.
    Hidden,
    /// The client is too far behind. It comes back with the id of its last event.
    Behind,
}

/// Receives the next news, if there will be any.
///
/// # Errors
/// [`End`]: there will be no more, or the receiver has missed too much.
pub(crate) async fn receive<T: Clone>(news: &mut Option<Receiver<T>>) -> Result<T, End> {
    let Some(news) = news else { return Err(End::Complete) };
    news.recv().await.map_err(|error| match error {
        RecvError::Lagged(_) => End::Behind,
        RecvError::Closed => End::Complete,
    })
}
