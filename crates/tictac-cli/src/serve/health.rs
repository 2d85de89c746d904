//! The `tictac serve health` command.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use ureq::Agent;

use crate::exit::io_reason;

/// A server that takes longer is not healthy.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Asks a running server whether it can store moves. `url` is its address for clients; without one, `listen` is asked.
///
/// A server that cannot be reached is not healthy, so there are only two answers.
pub(super) fn check(url: Option<&str>, listen: SocketAddr, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let origin = url.map_or_else(|| format!("http://{}", reachable(listen)), str::to_owned);
    let agent: Agent = Agent::config_builder().timeout_global(Some(TIMEOUT)).max_redirects(0).build().into();
    let problem = match agent.get(format!("{}/readyz", origin.trim_end_matches('/'))).call() {
        Ok(response) if response.status() == 200 => None,
        Ok(response) => Some(format!("it answered {}", response.status())),
        Err(ureq::Error::Io(error)) => Some(io_reason(&error)),
        Err(error) => Some(error.to_string()),
    };
    let Some(problem) = problem else {
        writeln!(out, "{origin} is ready")?;
        return Ok(ExitCode::SUCCESS);
    };
    writeln!(out, "{origin} is not ready: {problem}")?;
    Ok(ExitCode::from(1))
}

/// Returns the address at which this machine reaches a server that listens on `address`.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_reached_by_loopback() {
        for (listen, expected) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.7:80", "192.0.2.7:80"),
            ("127.0.0.1:80", "127.0.0.1:80"),
        ] {
            assert_eq!(reachable(listen.parse().unwrap()).to_string(), expected);
        }
    }
}
