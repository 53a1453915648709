//! The page itself, which is the same for all its addresses but for its head: what browsers and messengers show of an
//! address before its scripts have run, or without running them.

use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use crate::games::service::GameService;
use crate::http::connections::client_address::ClientAddress;
use crate::http::html::{self, Frames, escaped};
use crate::http::page::files::{DIGEST, File};
use crate::http::page::preview::picture::{HEIGHT, Picture, WIDTH};
use crate::http::page::preview::{hand_at, public};
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::http::requests::unchanged::{self, Freshness};

/// The page's addresses, and what a browser or a messenger calls them before the page has been loaded.
pub const ADDRESSES: [(&str, &str); 14] = [
    ("/", "Card room"),
    ("/games", "The lobby"),
    ("/games/{id}", "A table"),
    (HAND, "A hand"),
    ("/kinds/{kind}", "The rules"),
    ("/tournaments", "Tournaments"),
    ("/tournaments/{id}", "A tournament"),
    ("/tournaments/{id}/certificates/{ranking}", "A certificate"),
    ("/series", "Series"),
    ("/series/{id}", "A series"),
    ("/leaderboards/{kind}", "The best players"),
    ("/players/{name}", "A player"),
    ("/me", "My games"),
    ("/check", "Check a game"),
];

/// A hand. What messengers show of a link to it depends on the hand.
pub const HAND: &str = "/games/{id}/hands/{n}";

/// The standings of a tournament, made to stand in a frame of another site.
pub const EMBEDDED: &str = "/tournaments/{id}/embed";

/// What is said of an address of which there is nothing of its own to say.
const DESCRIPTION: &str =
    "Five card games of bluff and luck, against people and bots. Anybody can check every hand.";

/// The longest host that a link is made with.
const LONGEST_HOST: usize = 255;

/// Where browsers reach the card room, as its operator says.
#[derive(Debug, Clone, Default)]
pub struct PublicUrl(pub Option<String>);

/// What the head of the page says.
struct Head {
    title: String,
    description: String,
    /// Further elements, already escaped.
    picture: String,
}

impl Head {
    fn of(title: &str) -> Head {
        Head { title: title.to_owned(), description: DESCRIPTION.to_owned(), picture: String::new() }
    }
}

/// The page. What is shown at this address is up to its scripts.
pub async fn show(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let pattern = request.match_pattern().unwrap_or_default();
    answer(&request, &Head::of(title(&pattern)))
}

/// The page that may stand in a frame of any site. It has a shell of its own, from which no script leads to the pages
/// where something can be done.
pub async fn embedded(request: HttpRequest) -> Result<HttpResponse, Problem> {
    filled_in(&request, "embed.html", &Head::of("Standings"), Frames::Anybody)
}

/// The page at the address of a hand. Messengers are told what happened in it, as far as the public may know. Of a hand
/// that the public may not see they are told as little as of one that there is not; so they are where it cannot be read,
/// and then the page says so by itself.
pub async fn hand(
    request: HttpRequest,
    games: Data<GameService>,
    public_url: Data<PublicUrl>,
    client: ClientAddress,
) -> Result<HttpResponse, Problem> {
    let plain = Head::of(title(HAND));
    let Some((id, n)) = hand_at(&request) else { return answer(&request, &plain) };
    let Ok(picture) = public(&games, id, n).await else { return answer(&request, &plain) };
    let here = public_url.0.clone().or_else(|| asked_at(&request, client.is_secure));
    let address = here.map(|here| format!("{here}/games/{id}/hands/{n}/preview.png"));
    answer(&request, &told(&picture, address))
}

fn title(pattern: &str) -> &'static str {
    ADDRESSES.iter().find(|(address, _)| *address == pattern).map_or("Card room", |(_, title)| title)
}

/// What is said of a hand. Messengers load pictures only from whole addresses, so without one they are told none.
fn told(picture: &Picture, address: Option<String>) -> Head {
    let title = format!("{}, hand {}", picture.kind, picture.hand);
    let elements = address.map(|address| {
        let (address, happened) = (escaped(&address), escaped(&picture.happened));
        format!(
            "\n<meta property=\"og:image\" content=\"{address}\">\
             \n<meta property=\"og:image:type\" content=\"image/png\">\
             \n<meta property=\"og:image:width\" content=\"{WIDTH}\">\
             \n<meta property=\"og:image:height\" content=\"{HEIGHT}\">\
             \n<meta property=\"og:image:alt\" content=\"{happened}\">\
             \n<meta name=\"twitter:card\" content=\"summary_large_image\">"
        )
    });
    let description = format!("{}.", picture.happened);
    Head { title, description, picture: elements.unwrap_or_default() }
}

/// Where the request says that it reached the service; none where that is no plain host with or without a port.
fn asked_at(request: &HttpRequest, is_secure: bool) -> Option<String> {
    let authority = || request.uri().authority().map(|authority| authority.as_str());
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = named.or_else(authority)?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter);
    let is_host = (1..=LONGEST_HOST).contains(&host.len()) && host.chars().all(is_plain);
    is_host.then(|| format!("{}://{host}", if is_secure { "https" } else { "http" }))
}

fn answer(request: &HttpRequest, head: &Head) -> Result<HttpResponse, Problem> {
    filled_in(request, "index.html", head, Frames::Nobody)
}

/// A shell of `web/` with its head.
fn filled_in(
    request: &HttpRequest,
    shell: &str,
    head: &Head,
    frames: Frames,
) -> Result<HttpResponse, Problem> {
    chosen(request, None, &[Form::Html])?;
    let shell = File::of(shell).expect("web/ has it");
    let text = std::str::from_utf8(shell.content).expect("it is text");
    let text = filled(text, head);
    let mut response = html::with_own_modules(HttpResponse::Ok(), frames);
    response.content_type("text/html; charset=utf-8");
    Ok(unchanged::content(request, response, Freshness::Never, text))
}

/// The text with what stands for each word in braces. What was put in is not looked at again.
fn filled(text: &str, head: &Head) -> String {
    let mut page = String::with_capacity(text.len() + 1024);
    let mut parts = text.split('{');
    page.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (word, rest) = part.split_once('}').unwrap_or(("", part));
        match word {
            "digest" => page.push_str(&DIGEST),
            "title" => page.push_str(&escaped(&head.title)),
            "description" => page.push_str(&escaped(&head.description)),
            "picture" => page.push_str(&head.picture),
            other => unreachable!("a shell has {{{other}}}"),
        }
        page.push_str(rest);
    }
    page
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn page(happened: &str, address: Option<&str>) -> String {
        let (kind, happened) = ("Knights' Heads".to_owned(), happened.to_owned());
        let picture = Picture { kind, hand: 3, happened, players: Vec::new() };
        let shell = File::of("index.html").unwrap();
        filled(std::str::from_utf8(shell.content).unwrap(), &told(&picture, address.map(str::to_owned)))
    }

    #[test]
    fn a_hand_is_told_in_the_head_of_the_page() {
        let page = page("ann wins 5", Some("https://cards.example/preview.png"));
        for element in [
            "<title>Knights' Heads, hand 3</title>",
            "property=\"og:title\" content=\"Knights' Heads, hand 3\"",
            "property=\"og:description\" content=\"ann wins 5.\"",
            "property=\"og:image\" content=\"https://cards.example/preview.png\"",
            "property=\"og:image:width\" content=\"1200\"",
            "property=\"og:image:height\" content=\"630\"",
            "name=\"twitter:card\" content=\"summary_large_image\"",
        ] {
            assert!(page.contains(element), "{element}: {page}");
        }
        assert!(!page.contains('{'), "{page}");
    }

    #[test]
    fn what_comes_from_outside_cannot_write_into_the_page() {
        let page = page("\"><b>{title}", Some("http://\"><b>"));
        assert!(!page.contains("<b>"), "{page}");
        assert!(page.contains("&quot;&gt;&lt;b&gt;{title}."), "{page}");
        assert!(!self::page("ann wins 5", None).contains("og:image"));
    }

    #[test]
    fn an_address_is_made_with_the_host_that_was_asked_if_it_is_one() {
        let at = |host: &'static str, is_secure| {
            let request = TestRequest::default().insert_header(("host", host)).to_http_request();
            asked_at(&request, is_secure)
        };
        assert_eq!(at("cards.example", true).unwrap(), "https://cards.example");
        assert_eq!(at("127.0.0.1:8080", false).unwrap(), "http://127.0.0.1:8080");
        assert_eq!(at("[::1]:8080", false).unwrap(), "http://[::1]:8080");
        for wrong in ["", "a b", "a/b", "a\"b", "me@cards.example"] {
            assert_eq!(at(wrong, true), None, "{wrong}");
        }
    }
}
