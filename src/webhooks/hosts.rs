//! How many requests go to one host at a time: a receiver that is slow holds up nobody else's messages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests a replica has under way to one host: an eighth of all. A push service that answers within 100 ms takes
/// more messages in a second than a replica sends by default.
const AT_ONCE: usize = 32;

/// By host, its free places, for as long as a request to it waits or is under way.
#[derive(Default)]
pub struct Hosts(Mutex<HashMap<String, Weak<Semaphore>>>);

impl Hosts {
    /// A place for a request to this host, as soon as there is one; it is free again when this is dropped.
    pub async fn place(&self, host: &str) -> Option<OwnedSemaphorePermit> {
        self.places(host).acquire_owned().await.ok()
    }

    fn places(&self, host: &str) -> Arc<Semaphore> {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.retain(|_, places| places.strong_count() > 0);
        if let Some(places) = hosts.get(host).and_then(Weak::upgrade) {
            return places;
        }
        let places = Arc::new(Semaphore::new(AT_ONCE));
        hosts.insert(host.to_owned(), Arc::downgrade(&places));
        places
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn each_host_has_places_of_its_own_for_as_long_as_it_needs_them() {
        let hosts = Hosts::default();
        let place = |host| hosts.place(host).now_or_never().flatten();
        let taken: Vec<_> = (0..AT_ONCE).map(|_| place("slow.example").unwrap()).collect();
        assert!(place("slow.example").is_none());
        assert!(place("quick.example").is_some());
        drop(taken);
        assert!(place("slow.example").is_some());
        assert_eq!(hosts.0.lock().unwrap().len(), 1, "a host of which nothing is under way is forgotten");
    }
}
