//! A client for HTTP by curl, and for WebSockets behind TLS by `openssl s_client`, so that the tasks need no library for it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail, ensure};

use crate::cargo::output;

/// A proxy that answers later than this does not work.
const SECONDS: &str = "30";

/// Where the server is, and the certificate that it must show if it has one.
pub(super) struct Site {
    pub(super) port: u16,
    pub(super) certificate: Option<PathBuf>,
}

/// An answer of the server.
pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Site {
    /// Returns the address of the site, as in a browser.
    pub(super) fn origin(&self) -> String {
        match self.certificate {
            Some(_) => format!("https://localhost:{}", self.port),
            None => format!("http://127.0.0.1:{}", self.port),
        }
    }

    /// Sends a request from the address `from` and returns the answer. `headers` are lines without their ends, and `body` is
    /// JSON or a form.
    pub(super) fn request(
        &self,
        from: &str,
        (method, path): (&str, &str),
        headers: &[&str],
        body: &str,
    ) -> anyhow::Result<HttpAnswer> {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--include", "--http1.1", "--ipv4", "--max-time", SECONDS]);
        curl.args(["--interface", from, "--request", method]);
        curl.args(self.certificate.iter().flat_map(|file| [OsStr::new("--cacert"), file.as_os_str()]));
        curl.args(headers.iter().flat_map(|header| ["--header", header]));
        if !body.is_empty() {
            let kind = if body.starts_with('{') { "json" } else { "x-www-form-urlencoded" };
            curl.args(["--header", &format!("Content-Type: application/{kind}"), "--data-binary", body]);
        }
        let answer = output(curl.arg(format!("{}{path}", self.origin())))?;
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").context("an answer without a head")?;
        Ok(HttpAnswer { status: status_of(head)?, head: head.to_owned(), body: body.to_owned() })
    }

    /// Opens a WebSocket, or returns the status of the refusal.
    pub(super) fn socket(&self, path: &str, headers: &[&str]) -> anyhow::Result<Result<TlsConnection, u16>> {
        let mut connection = self.connect()?;
        let fixed = [
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ];
        let headers: Vec<&str> = headers.iter().copied().chain(fixed).collect();
        write!(connection.input, "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n", self.port)?;
        write!(connection.input, "{}\r\n\r\n", headers.join("\r\n"))?;
        connection.input.flush()?;
        let status = status_of(&connection.read_head()?)?;
        Ok(if status == 101 { Ok(connection) } else { Err(status) })
    }

    /// Connects and checks the certificate.
    fn connect(&self) -> anyhow::Result<TlsConnection> {
        let mut child = Command::new("timeout")
            .args([SECONDS, "openssl", "s_client", "-quiet", "-verify_return_error"])
            .args(["-verify_hostname", "localhost", "-servername", "localhost", "-CAfile"])
            .args(&self.certificate)
            .args(["-connect", &format!("127.0.0.1:{}", self.port)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start openssl")?;
        let input = child.stdin.take().context("openssl has no standard input")?;
        let output = BufReader::new(child.stdout.take().context("openssl has no standard output")?);
        Ok(TlsConnection { child, input, output })
    }
}

fn status_of(head: &str) -> anyhow::Result<u16> {
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.with_context(|| format!("the server answered {head:?}"))
}

/// A connection to the proxy, which ends when it is dropped.
pub(super) struct TlsConnection {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl TlsConnection {
    /// Reads the status and the lines of the headers.
    fn read_head(&mut self) -> anyhow::Result<String> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            ensure!(self.output.read_line(&mut head)? > 0, "the proxy closed the connection: {head:?}");
        }
        Ok(head)
    }

    /// Sends a message on a WebSocket (RFC 6455, section 5.2). Clients must mask messages; a mask of zeros changes nothing.
    pub(super) fn send(&mut self, text: &str) -> anyhow::Result<()> {
        let length =
            u8::try_from(text.len()).ok().filter(|&length| length < 126).context("a long message")?;
        let mut frame = vec![0x81, 0x80 | length, 0, 0, 0, 0];
        frame.extend(text.as_bytes());
        self.input.write_all(&frame)?;
        Ok(self.input.flush()?)
    }

    /// Reads messages of a WebSocket until one contains `wanted`, and returns that one.
    pub(super) fn read_until(&mut self, wanted: &str) -> anyhow::Result<String> {
        loop {
            let (kind, payload) = self.read_frame()?;
            let text = String::from_utf8_lossy(&payload).into_owned();
            match kind {
                0x81 if text.contains(wanted) => return Ok(text),
                0x88 => bail!("the server closed the socket: {text:?}"),
                _ => {}
            }
        }
    }

    /// Reads one frame: its first byte, and its content.
    fn read_frame(&mut self) -> anyhow::Result<(u8, Vec<u8>)> {
        let mut start = [0; 2];
        self.output.read_exact(&mut start).context("the socket was closed")?;
        let length = match start[1] {
            126 => {
                let mut length = [0; 2];
                self.output.read_exact(&mut length)?;
                usize::from(u16::from_be_bytes(length))
            }
            length => usize::from(length),
        };
        ensure!(start[1] < 127, "a message of more than 64 KiB");
        let mut payload = vec![0; length];
        self.output.read_exact(&mut payload)?;
        Ok((start[0], payload))
    }
}

impl Drop for TlsConnection {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
