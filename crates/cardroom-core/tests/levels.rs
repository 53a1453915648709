//! The levels of a freezeout: what doubles in the options of its games, and what stays.

use cardroom_core::rules::registry::by_name;
use cardroom_core::rules::seats::PerSeat;
use cardroom_core::rules::stakes::Level;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

/// The kind's options at a level to whose tables seats bring 100 and 300 chips, and as they were.
fn at_level(kind: &str, options: &Value, level: u16) -> (Value, Value) {
    let kind = by_name(kind).unwrap();
    let options = kind.resolve_options(&to_raw_value(options).unwrap()).unwrap();
    let stacks: PerSeat<u32> = [100, 300].into_iter().collect();
    let at_level = kind.at_level(&options, Level { level, stacks: stacks.into() }).unwrap();
    let read = |options: &str| serde_json::from_str(options).unwrap();
    (read(at_level.get()), read(options.get()))
}

#[test]
fn antes_and_the_bounds_of_raises_double_with_each_level_and_nothing_else_changes() {
    for (kind, options, doubled) in [
        (
            "sevens",
            json!({"ante": 5, "min_raise": 7, "max_raise": 40}),
            &["ante", "min_raise", "max_raise"][..],
        ),
        (
            "knights_heads",
            json!({"ante": 3, "min_raise": 6, "max_raise": 50}),
            &["ante", "min_raise", "max_raise"],
        ),
        ("ritunas_favour", json!({"charge": 4}), &["charge"]),
    ] {
        for level in 1..=4 {
            let (there, mut expected) = at_level(kind, &options, level);
            for name in doubled {
                expected[name] = json!(expected[name].as_u64().unwrap() << (level - 1));
            }
            expected["stacks"] = json!([100, 300]);
            assert_eq!(there, expected, "{kind} at level {level}");
        }
    }
}

#[test]
fn the_least_raise_of_a_level_is_no_more_than_the_largest_stack() {
    for kind in ["sevens", "knights_heads"] {
        let (there, _) = at_level(kind, &json!({"buy_in": 1000, "min_raise": 200}), 2);
        assert_eq!((&there["min_raise"], &there["max_raise"]), (&json!(300), &Value::Null), "{kind}");
    }
}
