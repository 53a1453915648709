//! The request's place in its caller's trace: `traceparent`, by W3C Trace Context.

use actix_web::http::header::HeaderMap;
use tracing::Span;

/// The caller's trace and the caller's own span in it, as the log shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TraceParent<'a> {
    trace_id: &'a str,
    parent_id: &'a str,
}

/// The span for log lines on behalf of a request: the caller's trace, or none if the caller sent no trace or a
/// malformed one.
pub(super) fn span(headers: &HeaderMap) -> Span {
    let mut sent = headers.get_all("traceparent");
    let (Some(value), None) = (sent.next(), sent.next()) else { return Span::none() };
    match value.to_str().ok().and_then(TraceParent::parse) {
        // The span has the highest level, so that it is there at every log level.
        Some(TraceParent { trace_id, parent_id }) => tracing::error_span!("request", trace_id, parent_id),
        None => Span::none(),
    }
}

impl TraceParent<'_> {
    /// `00-<32 hexadecimal digits>-<16>-<2>`. Later versions may have more behind a further hyphen.
    fn parse(value: &str) -> Option<TraceParent<'_>> {
        let mut parts = value.splitn(5, '-');
        let version = hex(parts.next()?, 2).filter(|version| *version != "ff")?;
        let is_set = |id: &&str| id.bytes().any(|digit| digit != b'0');
        let trace_id = hex(parts.next()?, 32).filter(is_set)?;
        let parent_id = hex(parts.next()?, 16).filter(is_set)?;
        hex(parts.next()?, 2)?;
        (parts.next().is_none() || version != "00").then_some(TraceParent { trace_id, parent_id })
    }
}

/// The text, if it has this number of hexadecimal digits, in lower case as the standard requires.
fn hex(text: &str, digits: usize) -> Option<&str> {
    let fits = text.len() == digits && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    fits.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const PARENT: &str = "b7ad6b7169203331";

    #[test]
    fn a_trace_is_read_as_the_standard_writes_it() {
        let known = Some(TraceParent { trace_id: TRACE, parent_id: PARENT });
        assert_eq!(TraceParent::parse(&format!("00-{TRACE}-{PARENT}-01")), known);
        assert_eq!(TraceParent::parse(&format!("cc-{TRACE}-{PARENT}-01-what-later-versions-add")), known);
    }

    #[test]
    fn a_malformed_trace_is_ignored() {
        for malformed in [
            String::new(),
            format!("00-{TRACE}-{PARENT}"),
            format!("00-{TRACE}-{PARENT}-01-more"),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("00-{}-{PARENT}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{TRACE}{TRACE}-{PARENT}-01"),
            format!("00-{TRACE}-{PARENT}-1"),
            format!(" 00-{TRACE}-{PARENT}-01"),
        ] {
            assert_eq!(TraceParent::parse(&malformed), None, "{malformed}");
        }
    }
}
