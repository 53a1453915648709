//! The hash by which Citus finds a row's shard: PostgreSQL's own of a `uuid`, which is Bob Jenkins' lookup3. PostgreSQL
//! keeps it from release to release, because hash partitions depend on it.

use uuid::Uuid;

/// The start value of every hash, for a key of 16 bytes.
const START: u32 = 0x9e37_79b9 + 16 + 3_923_095;

/// The same as `uuid_hash(game_id)`.
pub(super) fn hash(game_id: Uuid) -> i32 {
    let bytes = game_id.as_bytes();
    let word = |n: usize| u32::from_le_bytes([bytes[n], bytes[n + 1], bytes[n + 2], bytes[n + 3]]);
    let state = [word(0), word(4), word(8)].map(|word| START.wrapping_add(word));
    let [a, b, c] = mix(state);
    finish([a.wrapping_add(word(12)), b, c]).cast_signed()
}

/// Each round changes the words in turn: `a` by `c`, `b` by `a`, `c` by `b`.
fn mix([mut a, mut b, mut c]: [u32; 3]) -> [u32; 3] {
    for [of_a, of_b, of_c] in [[4, 6, 8], [16, 19, 4]] {
        a = a.wrapping_sub(c) ^ c.rotate_left(of_a);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(of_b);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(of_c);
        b = b.wrapping_add(a);
    }
    [a, b, c]
}

fn finish([mut a, mut b, mut c]: [u32; 3]) -> u32 {
    let stir = |word: u32, by: u32, bits: u32| (word ^ by).wrapping_sub(by.rotate_left(bits));
    c = stir(c, b, 14);
    a = stir(a, c, 11);
    b = stir(b, a, 25);
    c = stir(c, b, 16);
    a = stir(a, c, 4);
    b = stir(b, a, 14);
    stir(c, b, 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers to `SELECT uuid_hash(…)`.
    #[test]
    fn it_is_postgresql_s_hash_of_a_uuid() {
        let known = [
            ("00000000-0000-0000-0000-000000000000", 1_353_656_403),
            ("ffffffff-ffff-ffff-ffff-ffffffffffff", -682_383_255),
            ("01900000-0000-7000-8000-000000000001", 214_915_936),
            ("cd613e30-d8f1-6adf-91b7-584a2265b1f5", 640_764_684),
            ("d95bafc8-f2a4-d27b-dcf4-bb99f4bea973", 1_391_797_952),
            ("21636369-8b52-9b4a-97b7-50923ceb3ffd", 173_994_064),
            ("b8a1abcd-1a69-16c7-4da4-f9fc3c6da5d7", -122_141_675),
        ];
        for (id, expected) in known {
            assert_eq!(hash(id.parse().unwrap()), expected, "{id}");
        }
    }
}
