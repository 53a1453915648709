//! Which server has which games.

use std::collections::HashSet;

use uuid::Uuid;

use crate::store::shard_hash::hash;

/// A server of the cluster, under the name by which the others know it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Server {
    pub host: String,
    pub port: u16,
}

/// Which server has which games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shards {
    /// The last hash of each shard, in order, and the shard's server.
    ends: Vec<(i32, Server)>,
}

impl Shards {
    /// `ends`: the last hash of each shard, in order, and its server.
    pub(super) fn new(ends: Vec<(i32, Server)>) -> Shards {
        Shards { ends }
    }

    /// The server that has a game's entries.
    pub fn server_of(&self, game_id: Uuid) -> Option<&Server> {
        let hash = hash(game_id);
        let at = self.ends.partition_point(|(last, _)| *last < hash);
        self.ends.get(at).map(|(_, server)| server)
    }

    /// How many shards there are, and on how many servers.
    pub fn count(&self) -> (usize, usize) {
        let servers: HashSet<&Server> = self.ends.iter().map(|(_, server)| server).collect();
        (self.ends.len(), servers.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_has_the_hashes_up_to_its_last_and_beyond_the_last_there_is_none() {
        let game = Uuid::from_u128(7);
        let server = |port| Server { host: "db".to_owned(), port };
        let at = |ends: &[(i32, u16)]| {
            let shards = Shards::new(ends.iter().map(|(last, port)| (*last, server(*port))).collect());
            shards.server_of(game).map(|server| server.port)
        };
        let own = hash(game);
        assert_eq!(at(&[(own - 1, 1), (own, 2), (i32::MAX, 3)]), Some(2));
        assert_eq!(at(&[(own - 2, 1), (own - 1, 2), (i32::MAX, 3)]), Some(3));
        assert_eq!(at(&[(own, 1), (i32::MAX, 2)]), Some(1));
        assert_eq!(at(&[(own - 1, 1)]), None);
    }
}
