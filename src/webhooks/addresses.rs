//! To which addresses the house sends: not to those of its own network, where a request from here might be trusted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Why nothing is sent to a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("it is no URL of at most 2000 characters that begins with https://")]
    NoUrl,
    #[error("a user or a password does not belong into it")]
    HasCredentials,
    #[error("its address is not public")]
    NotPublic,
    #[error("it is of no push service that is known")]
    NoPushService,
}

const fn v4(a: u8, b: u8, c: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, 0), length)
}

const fn v6(first: u16, second: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), length)
}

/// The blocks of the IANA IPv4 special-purpose address registry that are not reachable from everywhere, multicast, and
/// relays to other networks.
const NOT_PUBLIC_V4: [Ipv4Net; 16] = [
    v4(0, 0, 0, 8),
    v4(10, 0, 0, 8),
    v4(100, 64, 0, 10),
    v4(127, 0, 0, 8),
    v4(169, 254, 0, 16),
    v4(172, 16, 0, 12),
    v4(192, 0, 0, 24),
    v4(192, 0, 2, 24),
    v4(192, 31, 196, 24),
    v4(192, 52, 193, 24),
    v4(192, 88, 99, 24),
    v4(192, 168, 0, 16),
    v4(198, 18, 0, 15),
    v4(198, 51, 100, 24),
    v4(203, 0, 113, 24),
    v4(224, 0, 0, 3),
];

/// Global unicast addresses of IPv6. Everything else is local, multicast, or leads to IPv4 addresses.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 3);

/// Global unicast addresses that are not reachable from everywhere, or lead to IPv4 addresses.
const NOT_PUBLIC_V6: [Ipv6Net; 4] =
    [v6(0x2001, 0, 23), v6(0x2001, 0xdb8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

/// Whether everybody on the internet may send to this address as well.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => NOT_PUBLIC_V4.iter().all(|block| !block.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_V6.contains(&address) && NOT_PUBLIC_V6.iter().all(|block| !block.contains(&address))
        }
    }
}

/// Whether the address is in one of these networks, which an operator allows whatever they are.
pub fn is_allowed(address: IpAddr, networks: &[IpNet]) -> bool {
    networks.iter().any(|network| network.contains(&address.to_canonical()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        let public = ["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00::1"];
        for address in public {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        let not = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
        ];
        for address in not {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn an_allowed_network_is_allowed_in_both_of_its_forms() {
        let networks = ["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        for address in ["10.1.2.3", "::ffff:10.1.2.3", "fd00::7"] {
            assert!(is_allowed(address.parse().unwrap(), &networks), "{address}");
        }
        for address in ["11.1.2.3", "127.0.0.1", "fe80::1"] {
            assert!(!is_allowed(address.parse().unwrap(), &networks), "{address}");
        }
    }
}
