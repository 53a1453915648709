//! How many requests go to one port of a host at a time: a receiver that is slow holds up nobody else's messages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests a replica has under way to one origin: an eighth of all. A push service that answers within 100 ms takes
/// more messages in a second than a replica sends by default.
pub const AT_ONCE: usize = 32;

/// By origin (scheme, host and port), its free places, for as long as a request to it waits or is under way. Each port counts
/// apart, so that one which takes no connection does not hold up the others.
#[derive(Default)]
pub struct Origins(Mutex<HashMap<String, Weak<Semaphore>>>);

impl Origins {
    /// A place for a request to this origin, as soon as there is one; it is free again when this is dropped.
    pub async fn place(&self, origin: &str) -> Option<OwnedSemaphorePermit> {
        self.places(origin).acquire_owned().await.ok()
    }

    fn places(&self, origin: &str) -> Arc<Semaphore> {
        let mut origins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        origins.retain(|_, places| places.strong_count() > 0);
        if let Some(places) = origins.get(origin).and_then(Weak::upgrade) {
            return places;
        }
        let places = Arc::new(Semaphore::new(AT_ONCE));
        origins.insert(origin.to_owned(), Arc::downgrade(&places));
        places
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn each_origin_has_places_of_its_own_for_as_long_as_it_needs_them() {
        let origins = Origins::default();
        let place = |origin| origins.place(origin).now_or_never().flatten();
        let taken: Vec<_> = (0..AT_ONCE).map(|_| place("https://a.example:444").unwrap()).collect();
        assert!(place("https://a.example:444").is_none());
        assert!(place("https://a.example").is_some());
        drop(taken);
        assert!(place("https://a.example:444").is_some());
        assert_eq!(
            origins.0.lock().unwrap().len(),
            1,
            "an origin to which nothing is under way is forgotten"
        );
    }
}
