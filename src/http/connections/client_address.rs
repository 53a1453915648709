//! The address that a request comes from, behind proxies too, and whether it came over TLS.
//!
//! A proxy names its client in `Forwarded` (RFC 7239) or in `X-Forwarded-For`, each proxy behind the entries before it.
//! Any client can send these headers, so they are believed only from the proxies that the operator trusts: from the
//! right, up to the first address that is not a trusted proxy's.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use ipnet::IpNet;

use crate::http::problem::Problem;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress {
    pub address: IpAddr,
    /// Whether the client spoke TLS, to this server or to a trusted proxy.
    pub is_secure: bool,
}

/// The networks whose addresses are proxies that tell the truth about their clients.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

/// One hop of a forwarded request, as recorded by the proxy that received it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hop {
    address: IpAddr,
    /// Whether the client spoke TLS; `None` if the proxy does not say.
    is_secure: Option<bool>,
}

impl ClientAddress {
    /// The network that is charged. One household has one IPv6 network (a /64), and any number of addresses in it.
    pub fn network(self) -> IpAddr {
        match self.address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        }
    }
}

impl TrustedProxies {
    pub fn new(networks: Vec<IpNet>) -> TrustedProxies {
        TrustedProxies(networks)
    }

    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client of a request that came from `peer`; `is_secure`: whether this connection is TLS.
    ///
    /// If `Forwarded` and `X-Forwarded-For` name different clients, one of the headers was sent by a client and passed
    /// on by a proxy that writes the other. Which one is unknown, so the proxy itself counts as the client.
    pub fn client(&self, peer: Option<SocketAddr>, is_secure: bool, headers: &HeaderMap) -> ClientAddress {
        let address = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
        let direct = ClientAddress { address, is_secure };
        if !self.trusts(address) {
            return direct;
        }
        let by_standard = lists(headers, header::FORWARDED).map(|list| self.first_untrusted(&list, hop));
        let by_custom = lists(headers, X_FORWARDED_FOR).map(|list| self.first_untrusted(&list, plain_hop));
        let hop = match (by_standard, by_custom) {
            (Some(standard), Some(custom)) if address_of(standard) == address_of(custom) => standard,
            (Some(_), Some(_)) => None,
            (Some(hop), None) | (None, Some(hop)) => hop,
            (None, None) => None,
        };
        let said = hop.and_then(|hop| hop.is_secure).or_else(|| forwarded_proto(headers));
        ClientAddress {
            address: hop.map_or(address, |hop| hop.address),
            is_secure: said.unwrap_or(is_secure),
        }
    }

    /// The nearest hop that is not a trusted proxy; if all are, the farthest. `None` if that hop cannot be read.
    fn first_untrusted(&self, list: &str, read: impl Fn(&str) -> Option<Hop>) -> Option<Hop> {
        let mut known = None;
        for element in list.rsplit(',') {
            let Some(hop) = read(element.trim()) else { return known };
            known = Some(hop);
            if !self.trusts(hop.address) {
                break;
            }
        }
        known
    }
}

fn address_of(hop: Option<Hop>) -> Option<IpAddr> {
    hop.map(|hop| hop.address)
}

/// All lines of a header as the one list that they form; `None` if there is no such header.
fn lists(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let lines: Vec<&str> = headers.get_all(name).map(|line| line.to_str().unwrap_or_default()).collect();
    (!lines.is_empty()).then(|| lines.join(","))
}

/// What the nearest proxy says about the connection that it accepted.
fn forwarded_proto(headers: &HeaderMap) -> Option<bool> {
    let list = lists(headers, X_FORWARDED_PROTO)?;
    list.rsplit(',').next().and_then(|word| scheme(word.trim()))
}

fn scheme(word: &str) -> Option<bool> {
    match word {
        word if word.eq_ignore_ascii_case("https") => Some(true),
        word if word.eq_ignore_ascii_case("http") => Some(false),
        _ => None,
    }
}

/// An element of `Forwarded`: `for=192.0.2.43;proto=https`, `for="[2001:db8::17]:4711"`.
fn hop(element: &str) -> Option<Hop> {
    let (mut address, mut is_secure) = (None, None);
    for pair in element.split(';') {
        let (name, value) = pair.trim().split_once('=')?;
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        if name.eq_ignore_ascii_case("for") {
            address = Some(node(value)?);
        } else if name.eq_ignore_ascii_case("proto") {
            is_secure = scheme(value);
        }
    }
    Some(Hop { address: address?, is_secure })
}

/// An element of `X-Forwarded-For`.
fn plain_hop(element: &str) -> Option<Hop> {
    Some(Hop { address: node(element)?, is_secure: None })
}

/// An address with or without a port; IPv6 in brackets, or bare without a port.
fn node(text: &str) -> Option<IpAddr> {
    let address = match text.strip_prefix('[') {
        Some(rest) => IpAddr::V6(rest.split_once(']')?.0.parse().ok()?),
        None => text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))?,
    };
    Some(address.to_canonical())
}

impl FromRequest for ClientAddress {
    type Error = Problem;
    type Future = Ready<Result<ClientAddress, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let known = request.extensions().get::<ClientAddress>().copied();
        ready(known.ok_or_else(|| Problem::new("internal", "the client's address was not looked up")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: &str = "10.0.0.1";

    fn client(peer: &str, headers: &[(&str, &str)]) -> (String, bool) {
        let proxies = TrustedProxies::new(vec!["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.parse().unwrap(), value.parse().unwrap());
        }
        let peer = SocketAddr::new(peer.parse().unwrap(), 4711);
        let client = proxies.client(Some(peer), false, &map);
        (client.address.to_string(), client.is_secure)
    }

    fn address(peer: &str, headers: &[(&str, &str)]) -> String {
        client(peer, headers).0
    }

    #[test]
    fn a_client_that_is_no_trusted_proxy_is_not_believed() {
        let headers = [("forwarded", "for=1.1.1.1;proto=https"), ("x-forwarded-for", "1.1.1.1")];
        assert_eq!(client("192.0.2.7", &headers), ("192.0.2.7".to_owned(), false));
    }

    #[test]
    fn lists_are_read_from_the_right_to_the_first_that_is_not_trusted() {
        for (list, expected) in [
            ("1.1.1.1", "1.1.1.1"),
            ("6.6.6.6, 1.1.1.1", "1.1.1.1"),
            ("6.6.6.6, 1.1.1.1, 10.2.2.2", "1.1.1.1"),
            ("10.3.3.3, 10.2.2.2", "10.3.3.3"),
            ("1.1.1.1:80, 10.2.2.2", "1.1.1.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]:80", "2001:db8::1"),
            ("::ffff:1.1.1.1", "1.1.1.1"),
            ("1.1.1.1, unknown", PROXY),
            ("1.1.1.1, unknown, 10.2.2.2", "10.2.2.2"),
            ("", PROXY),
        ] {
            assert_eq!(address(PROXY, &[("x-forwarded-for", list)]), expected, "{list}");
        }
        assert_eq!(
            address(PROXY, &[("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "1.1.1.1")]),
            "1.1.1.1"
        );
    }

    #[test]
    fn the_standard_header_is_read_in_all_its_forms() {
        for (list, expected) in [
            ("for=1.1.1.1", ("1.1.1.1", false)),
            ("For=\"[2001:db8:cafe::17]:4711\"", ("2001:db8:cafe::17", false)),
            ("for=6.6.6.6, for=1.1.1.1;proto=https;by=203.0.113.43", ("1.1.1.1", true)),
            ("for=1.1.1.1;proto=https, for=\"[fd00::1]\";proto=http", ("1.1.1.1", true)),
            ("for=_hidden", (PROXY, false)),
            ("by=203.0.113.43", (PROXY, false)),
        ] {
            let (address, is_secure) = client(PROXY, &[("forwarded", list)]);
            assert_eq!((&*address, is_secure), expected, "{list}");
        }
    }

    #[test]
    fn headers_that_contradict_each_other_leave_the_proxy_as_the_client() {
        let both = |one, other| address(PROXY, &[("forwarded", one), ("x-forwarded-for", other)]);
        assert_eq!(both("for=1.1.1.1", "1.1.1.1"), "1.1.1.1");
        assert_eq!(both("for=6.6.6.6", "1.1.1.1"), PROXY);
        assert_eq!(both("for=6.6.6.6", "unknown"), PROXY);
    }

    #[test]
    fn the_nearest_proxy_says_whether_the_client_spoke_tls() {
        let proto = |word| client(PROXY, &[("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", word)]).1;
        assert!(proto("https"));
        assert!(!proto("https, http"));
        assert!(!proto("gopher"));
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_charged_together() {
        let network =
            |text: &str| ClientAddress { address: text.parse().unwrap(), is_secure: false }.network();
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:2"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:1.1.1.1"), network("1.1.1.1"));
    }
}
