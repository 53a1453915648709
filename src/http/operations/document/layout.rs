//! JSON for people: what fits into a line stands in one.

use serde_json::Value;

/// The longest line that holds a whole object or list, in characters.
const WIDTH: usize = 160;

/// The value as text: an object or a list that fits into a line stands in one, any other has a line for each part.
pub fn laid_out(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

fn write(value: &Value, indent: usize, text: &mut String) {
    let line = value.to_string();
    let used = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
    if used + line.chars().count() <= WIDTH {
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
    for (at, (name, value)) in parts.enumerate() {
        if at > 0 {
            text.push(',');
        }
        new_line(text, indent + 1);
        if let Some(name) = name {
            text.push_str(&Value::from(name.as_str()).to_string());
            text.push_str(": ");
        }
        write(value, indent + 1, text);
    }
    new_line(text, indent);
    text.push(close);
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
        assert!(text.contains("\n \"short\": [1,2]"), "{text}");
        assert!(text.contains("\n  \"more\": ["), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH + 20), "{text}");
    }
}
