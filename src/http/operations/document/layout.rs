//! JSON for people: what fits into a line stands in one, and short neighbours share a line.

use serde_json::Value;

/// The longest line that holds a whole object or list, in characters.
const WIDTH: usize = 160;
/// The longest part of an object or list that shares its line with its neighbours, in characters.
const SHORT: usize = 100;

/// The value as text. An object or a list that fits into a line stands in one. In any other, each part has a line of its
/// own, except that short parts share one.
pub fn laid_out(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

fn write(value: &Value, indent: usize, text: &mut String) {
    let line = value.to_string();
    if used(text) + characters(&line) <= WIDTH {
        text.push_str(&line);
        return;
    }
    match value {
        Value::Object(fields) => {
            let parts = fields.iter().map(|(name, value)| (Some(name), value));
            write_parts(('{', '}'), parts, indent, text);
        }
        Value::Array(items) => write_parts(('[', ']'), items.iter().map(|item| (None, item)), indent, text),
        _ => text.push_str(&line),
    }
}

fn write_parts<'a>(
    (open, close): (char, char),
    parts: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
    indent: usize,
    text: &mut String,
) {
    let new_line = |text: &mut String, indent: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', indent));
    };
    text.push(open);
    let mut after_short = false;
    for (at, (name, value)) in parts.enumerate() {
        let name = name.map(|name| format!("{}: ", Value::from(name.as_str())));
        let length = characters(name.as_deref().unwrap_or_default()) + characters(&value.to_string());
        let is_short = length <= SHORT;
        if at > 0 {
            text.push(',');
        }
        if is_short && after_short && used(text) + 1 + length < WIDTH {
            text.push(' ');
        } else {
            new_line(text, indent + 1);
        }
        text.push_str(name.as_deref().unwrap_or_default());
        write(value, indent + 1, text);
        after_short = is_short;
    }
    new_line(text, indent);
    text.push(close);
}

/// How many characters the last line has.
fn used(text: &str) -> usize {
    characters(&text[text.rfind('\n').map_or(0, |at| at + 1)..])
}

fn characters(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_into_a_line_stands_in_one_and_all_of_it_is_there() {
        let long = "word ".repeat(30);
        let value =
            json!({"short": [1, 2], "long": {"text": long, "more": ["a \" and a \n", null]}, "empty": {}});
        let text = laid_out(&value);
        assert!(text.contains("\n \"empty\": {},\n \"long\": {\n"), "{text}");
        assert!(text.contains("\n  \"more\": ["), "{text}");
        let shared = laid_out(&json!([[1, 2], [3], long, "a", "b", long]));
        assert_eq!(shared.lines().collect::<Vec<_>>()[1], " [1,2], [3],", "{shared}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH + 20), "{text}");
    }
}
