//! Which addresses may get a request: a browser names the push service, so it must not lead into the operator's network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// Returns the origin of the address of a push service, or `None` if it must not be used. A test may use `http` on this machine.
pub(super) fn origin(endpoint: &str, allow_loopback: bool) -> Option<String> {
    let uri: Uri = endpoint.parse().ok()?;
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?.as_str());
    let is_local = allow_loopback && scheme == "http" && authority.starts_with("127.0.0.1:");
    // Push services use the usual port. Other ports would let a browser look for services.
    let is_public = scheme == "https" && uri.port().is_none();
    let is_plain = !authority.is_empty() && !authority.contains('@');
    (is_plain && (is_public || is_local)).then(|| format!("{scheme}://{authority}"))
}

/// Resolves names as usual, and refuses a host that has any address which is not public. The request is sent to one of the addresses that
/// were checked, so a name that has another address a moment later changes nothing.
#[derive(Debug, Default)]
pub(super) struct PublicResolver {
    pub(super) allow_loopback: bool,
    usual: DefaultResolver,
}

impl PublicResolver {
    pub(super) fn new(allow_loopback: bool) -> PublicResolver {
        PublicResolver { allow_loopback, usual: DefaultResolver::default() }
    }
}

impl Resolver for PublicResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let resolved = self.usual.resolve(uri, config, timeout)?;
        let is_allowed = |ip: IpAddr| is_public(ip) || self.allow_loopback && ip.is_loopback();
        if resolved.iter().all(|address| is_allowed(address.ip())) {
            Ok(resolved)
        } else {
            Err(ureq::Error::HostNotFound)
        }
    }
}

/// Returns whether an address is reachable for everyone and belongs to one host.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast()
        // This network, shared address space, protocol assignments, benchmarks, and everything that is reserved.
        || a == 0
        || a == 100 && b & 0xC0 == 64
        || a == 192 && b == 0 && c == 0
        || a == 198 && b & 0xFE == 18
        || a >= 240;
    !is_special
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, ..] = ip.segments();
    // Only global unicast is assigned. Of it, some blocks are for protocols and documentation, or contain an IPv4 address (6to4, Teredo).
    a & 0xE000 == 0x2000 && !(a == 0x2001 && (b < 0x200 || b == 0xDB8)) && a != 0x2002 && a != 0x3FFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_addresses_with_the_usual_port_are_push_services() {
        let public = |endpoint| origin(endpoint, false);
        assert_eq!(public("https://push.example/a/b?c=d").as_deref(), Some("https://push.example"));
        for endpoint in [
            "",
            "/push",
            "http://push.example/a",
            "ftp://push.example/a",
            "https://push.example:8443/a",
            "https://me@push.example/a",
            "https:///a",
            "http://127.0.0.1:9/a",
        ] {
            assert_eq!(public(endpoint), None, "{endpoint}");
        }
        assert_eq!(origin("http://127.0.0.1:9/a", true).as_deref(), Some("http://127.0.0.1:9"));
        assert_eq!(origin("http://127.0.0.1.example/a", true), None);
    }

    #[test]
    fn a_name_of_this_machine_is_not_resolved() {
        let get = |url: &str| {
            let config = ureq::Agent::config_builder().proxy(None).build();
            let connector = ureq::unversioned::transport::DefaultConnector::default();
            ureq::Agent::with_parts(config, connector, PublicResolver::new(false)).get(url).call()
        };
        for url in [
            "https://localhost/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://0x7f.1/",
            "https://2130706433/",
        ] {
            assert!(matches!(get(url), Err(ureq::Error::HostNotFound | ureq::Error::Io(_))), "{url}");
        }
    }

    #[test]
    fn addresses_that_are_not_public_are_refused() {
        for ip in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::a00:1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:a00:1::1",
            "3fff::1",
        ] {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in [
            "8.8.8.8",
            "100.63.0.1",
            "100.128.0.1",
            "172.32.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "2a00:1450::5",
            "2001:4860::8",
        ] {
            assert!(is_public(ip.parse().unwrap()), "{ip}");
        }
    }
}
