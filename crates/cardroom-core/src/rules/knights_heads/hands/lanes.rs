//! Numbers that stand side by side in one, so that adding two such numbers adds all of them at once: a lane for each face,
//! or for each count.

use super::super::deck::Face;

// Numbers stand side by side in five bits each, their lanes: four for a number up to ten, and a spare one to
// borrow from.
pub(super) const WIDTH: u32 = 5;
pub(super) const LANE: u64 = (1 << WIDTH) - 1;
pub(super) const SPARE: u64 = 1 << (WIDTH - 1);
/// One in each face's lane.
pub(super) const ONES: u64 = ((1 << (WIDTH * 9)) - 1) / LANE;
pub(super) const SPARES: u64 = ONES * SPARE;

/// Where a face has its lane.
pub(super) const fn face_lane(face: Face) -> u32 {
    // The faces are the first counts of the table, the lowest first.
    WIDTH * (Face::Blacksmith as u32 - face as u32)
}

/// The spare bits of the faces that have at least so many, up to [`SPARE`].
pub(super) const fn reaching(faces: u64, number: u64) -> u64 {
    ((faces | SPARES) - ONES * number) & SPARES
}

/// The sum of the faces' lanes: multiplied by ones, the highest lane adds up all of them.
pub(super) const fn sum(faces: u64) -> u64 {
    (faces.wrapping_mul(ONES) >> (WIDTH * 8)) & LANE
}

/// What numbers in two lanes beside each other can be. The second's spare bit is not among them.
pub(super) const KEYS: usize = 1 << (2 * WIDTH - 1);

/// The numbers in this pair of lanes.
pub(super) const fn key(lanes: u64, pair: usize) -> usize {
    (lanes >> (2 * WIDTH * pair as u32)) as usize % KEYS
}
