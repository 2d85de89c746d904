//! `cargo xtask soak proxy`: `tictac serve` behind each of the proxies in `deploy/`, with TLS and WebSockets.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::free_port;
use super::site::{HttpAnswer, Site};
use crate::cargo::{Programs, empty_folder, is_installed, root};

/// How long a program may take to listen.
const START: Duration = Duration::from_secs(20);
/// The server allows one new game per minute and address; within this time, a second one must be refused.
const SURELY_LIMITED: Duration = Duration::from_secs(45);
/// The origin that the examples in `deploy/` use.
const EXAMPLE_SERVER: &str = "127.0.0.1:8470";

/// What a client may try to be counted as another one. The last line is a header that this server never reads.
const FORGERIES: [&[&str]; 7] = [
    &["X-Forwarded-For: 192.0.2.1"],
    &["X-Forwarded-For: 192.0.2.2, 192.0.2.3"],
    &["X-Forwarded-For: 192.0.2.4", "X-Forwarded-For: 192.0.2.5"],
    &["X-Forwarded-For: 2001:db8::1"],
    &["X-Forwarded-For: nonsense"],
    &["x-forwarded-for: 192.0.2.6,"],
    &["X-Real-IP: 192.0.2.7", "Forwarded: for=192.0.2.8"],
];

/// Tests each proxy that is installed.
pub(crate) fn run_all(out: &mut impl Write) -> anyhow::Result<()> {
    let program = Programs::Build.folder()?.join("tictac");
    for proxy in [Proxy::Caddy, Proxy::Nginx] {
        let name = proxy.program();
        if !is_installed(name) {
            writeln!(out, "proxy: SKIPPED {name}, because it is missing: apt-get install {name}")?;
            continue;
        }
        proxy.test(&program).with_context(|| format!("behind {name}"))?;
        writeln!(
            out,
            "proxy: behind {name}, TLS, sockets and limits work, and {} forged addresses change nothing",
            FORGERIES.len()
        )?;
    }
    Ok(())
}

/// A proxy that `deploy/` has an example for.
#[derive(Clone, Copy, Debug)]
enum Proxy {
    Caddy,
    Nginx,
}

impl Proxy {
    fn program(self) -> &'static str {
        match self {
            Proxy::Caddy => "caddy",
            Proxy::Nginx => "nginx",
        }
    }

    fn test(self, program: &Path) -> anyhow::Result<()> {
        let folder = empty_folder(&format!("proxy/{}", self.program()))?;
        make_certificate(&folder)?;
        let (port, server_port) = (free_port()?, free_port()?);
        let site = Site { port, certificate: Some(folder.join("certificate.pem")) };
        let server = Command::new(program)
            .args(["serve", "--behind-proxy", "--games-per-minute", "1", "--public-origin", &site.origin()])
            .args(["--listen", &format!("127.0.0.1:{server_port}"), "--database"])
            .arg(format!("sqlite:{}", folder.join("games.db").display()))
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("server.log"))?)
            .spawn()?;
        let _server = Running::start(server, server_port)?;
        let _proxy = Running::start(self.start(&folder, port, server_port)?, port)?;
        check_page_and_probes(&site)?;
        let game = check_new_game(&site)?;
        check_sockets(&site, &game)?;
        check_cookie(&site, &game)?;
        check_forgeries(&site)
    }

    /// Starts the proxy with the example of `deploy/`, in which only names, ports and files are replaced.
    fn start(self, folder: &Path, port: u16, server_port: u16) -> anyhow::Result<Child> {
        let file = |name: &str| folder.join(name).display().to_string();
        let (certificate, key) = (file("certificate.pem"), file("key.pem"));
        let server = format!("127.0.0.1:{server_port}");
        let example = match self {
            Proxy::Caddy => "deploy/Caddyfile",
            Proxy::Nginx => "deploy/nginx.conf",
        };
        let example = fs::read_to_string(root().join(example))?.replace(EXAMPLE_SERVER, &server);
        let mut command = Command::new(self.program());
        match self {
            Proxy::Caddy => {
                let site =
                    format!("https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate} {key}\n");
                let options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
                fs::write(file("Caddyfile"), options.to_owned() + &example.replace("play.example {", &site))?;
                command.args(["run", "--adapter", "caddyfile", "--config", &file("Caddyfile")]);
                command.env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
            }
            Proxy::Nginx => {
                let example = example
                    .replace("listen 443 ssl", &format!("listen 127.0.0.1:{port} ssl"))
                    .replace("server_name play.example", "server_name localhost")
                    .replace("/etc/letsencrypt/live/play.example/fullchain.pem", &certificate)
                    .replace("/etc/letsencrypt/live/play.example/privkey.pem", &key);
                fs::write(file("site.conf"), example)?;
                fs::write(file("nginx.conf"), nginx_frame(&file("")))?;
                command.args(["-p", &file(""), "-c", &file("nginx.conf"), "-e", &file("nginx.log")]);
            }
        }
        let log = fs::File::create(folder.join("proxy.log"))?;
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        child.with_context(|| format!("cannot start {}", self.program()))
    }
}

/// Returns a configuration of nginx that includes the site and writes to no other folder.
fn nginx_frame(folder: &str) -> String {
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let folders = folders.map(|name| format!("{name}_temp_path {folder}{name};\n"));
    // Processes of the superuser's nginx would run as another user, who may not read the folder.
    let user = if is_superuser() { "user root;\n" } else { "" };
    format!(
        "{user}daemon off;\nworker_processes 1;\npid {folder}nginx.pid;\nevents {{}}\n\
         http {{\naccess_log off;\n{}include {folder}site.conf;\n}}\n",
        folders.concat()
    )
}

fn is_superuser() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// A program that is ended when this is dropped.
struct Running(Child);

impl Running {
    /// Waits until the program listens.
    fn start(child: Child, port: u16) -> anyhow::Result<Running> {
        let mut running = Running(child);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = running.0.try_wait()? {
                bail!("the program on port {port} ended ({status}); its log is in target/proxy");
            }
            ensure!(start.elapsed() < START, "nothing listens on port {port}");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // nginx ends its workers only if it is asked to.
        let _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}

/// Writes a certificate for localhost that signs itself.
fn make_certificate(folder: &Path) -> anyhow::Result<()> {
    let output = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "certificate.pem"])
        .current_dir(folder)
        .output()
        .context("openssl is missing")?;
    ensure!(output.status.success(), "openssl: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The page is public, and the state of the server is not.
fn check_page_and_probes(site: &Site) -> anyhow::Result<()> {
    let get = |path: &str| site.request("127.0.0.1", ("GET", path), &[], "");
    let page = get("/")?;
    ensure!(page.status == 200 && page.body.contains("<html"), "GET /: {} {}", page.status, page.head);
    for path in ["/healthz", "/readyz", "/metrics"] {
        ensure!(get(path)?.status == 404, "{path} is public");
    }
    Ok(())
}

/// A new game has links of the site.
fn check_new_game(site: &Site) -> anyhow::Result<Value> {
    let answer = create(site, "127.0.0.1", &[])?;
    ensure!(answer.status == 201, "a new game: {} {}", answer.status, answer.body);
    let game: Value = serde_json::from_str(&answer.body).context("a new game is not JSON")?;
    let link = game["friend"]["link"].as_str().context("a new game has no link")?;
    ensure!(link.starts_with(&format!("{}/join/", site.origin())), "{link} leads elsewhere");
    Ok(game)
}

/// A move on one socket arrives at the other one; a page of another site may not open one.
fn check_sockets(site: &Site, game: &Value) -> anyhow::Result<()> {
    let name = game["game"].as_str().context("a game without a name")?;
    let path = format!("/api/v1/games/{name}/socket");
    let mut sockets = Vec::new();
    for player in ["you", "friend"] {
        let token = game[player]["token"].as_str().context("a seat without a token")?;
        let origin = format!("Origin: {}", site.origin());
        let seat = format!("Authorization: Bearer {token}");
        let opened = site.socket(&path, &[&seat, &origin])?;
        sockets.push(opened.map_err(|status| anyhow::anyhow!("the socket was refused with {status}"))?);
    }
    let hello: Value = serde_json::from_str(&sockets[0].read_until("\"hello\"")?)?;
    sockets[1].read_until("\"hello\"")?;
    let seq = &hello["seq"];
    sockets[0].send(&format!(r#"{{"id":7,"seq":{seq},"kind":"move","move":"B2"}}"#))?;
    sockets[0].read_until("\"re\":7")?;
    sockets[1].read_until("\"X B2\"")?;
    match site.socket(&path, &["Origin: https://elsewhere.example"])? {
        Err(403) => Ok(()),
        Err(status) => bail!("a page of another site got {status} instead of 403"),
        Ok(_) => bail!("a page of another site opened a socket"),
    }
}

/// Taking a seat on the page sets a cookie that browsers send only by TLS. This ends the token of the invitation.
fn check_cookie(site: &Site, game: &Value) -> anyhow::Result<()> {
    let token = game["friend"]["token"].as_str().context("a seat without a token")?;
    let (name, secret) = token.split_once('.').context("a token without a secret")?;
    let path = format!("/g/{name}/join/{secret}");
    let origin = format!("Origin: {}", site.origin());
    let joined = site.request("127.0.0.1", ("POST", &path), &[&origin], "name=Bob")?;
    let mut cookies = joined.head.lines().filter(|line| line.to_lowercase().starts_with("set-cookie:"));
    let cookie = cookies.next().with_context(|| format!("{path} sets no cookie: {}", joined.head))?;
    ensure!(cookie.ends_with("; Secure"), "a cookie without protection: {cookie}");
    Ok(())
}

/// The limits of a client apply whatever it writes into its headers, and to no other client.
fn check_forgeries(site: &Site) -> anyhow::Result<()> {
    // On a machine that is so busy that a minute passes, the limit is not reached: then from another address.
    for attempt in 0..5 {
        let client = format!("127.0.1.{}", 1 + attempt);
        let start = Instant::now();
        let first = create(site, &client, FORGERIES[0])?;
        ensure!(first.status == 201, "the first game of {client}: {}", first.status);
        let answers = FORGERIES.map(|forged| create(site, &client, forged).map(|answer| answer.status));
        let answers = answers.into_iter().collect::<anyhow::Result<Vec<u16>>>()?;
        if start.elapsed() > SURELY_LIMITED {
            continue;
        }
        ensure!(answers.iter().all(|&status| status == 429), "forged headers avoid the limit: {answers:?}");
        // The names that were forged, and other clients, have all of their limits left.
        let other =
            create(site, &format!("127.0.2.{}", 1 + attempt), &[&format!("X-Forwarded-For: {client}")])?;
        ensure!(other.status == 201, "another client is limited: {}", other.status);
        return Ok(());
    }
    bail!("this machine is too busy to reach a limit")
}

fn create(site: &Site, from: &str, headers: &[&str]) -> anyhow::Result<HttpAnswer> {
    site.request(from, ("POST", "/api/v1/games"), headers, "{}")
}
