//! A small client for HTTPS and WebSockets. `openssl s_client` encrypts, so that the tasks need no library for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail, ensure};

/// A proxy that answers later than this does not work.
const SECONDS: &str = "30";

/// Where the proxy is, and the certificate that it must show.
pub(super) struct Site {
    pub(super) port: u16,
    pub(super) certificate: PathBuf,
}

/// An answer of the proxy.
pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Site {
    /// Returns the address of the site, as in a browser.
    pub(super) fn origin(&self) -> String {
        format!("https://localhost:{}", self.port)
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
        let mut connection = self.connect(from)?;
        let length = format!("Content-Length: {}", body.len());
        let kind = if body.starts_with('{') { "json" } else { "x-www-form-urlencoded" };
        let kind = format!("Content-Type: application/{kind}");
        let fixed = ["Connection: close", &kind, &length];
        let headers: Vec<&str> = headers.iter().copied().chain(fixed).collect();
        connection.send_head(self, (method, path), &headers)?;
        connection.input.write_all(body.as_bytes())?;
        connection.input.flush()?;
        let (status, head) = connection.read_head()?;
        let mut body = Vec::new();
        connection.output.read_to_end(&mut body)?;
        Ok(HttpAnswer { status, head, body: String::from_utf8_lossy(&body).into_owned() })
    }

    /// Opens a WebSocket, or returns the status of the refusal.
    pub(super) fn socket(&self, path: &str, headers: &[&str]) -> anyhow::Result<Result<TlsConnection, u16>> {
        let mut connection = self.connect("127.0.0.1")?;
        let fixed = [
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ];
        let headers: Vec<&str> = headers.iter().copied().chain(fixed).collect();
        connection.send_head(self, ("GET", path), &headers)?;
        connection.input.flush()?;
        let (status, _) = connection.read_head()?;
        Ok(if status == 101 { Ok(connection) } else { Err(status) })
    }

    /// Connects from an address of the loopback network, and checks the certificate.
    fn connect(&self, from: &str) -> anyhow::Result<TlsConnection> {
        let mut child = Command::new("timeout")
            .args([SECONDS, "openssl", "s_client", "-quiet", "-verify_return_error"])
            .args(["-verify_hostname", "localhost", "-servername", "localhost", "-bind", from, "-CAfile"])
            .arg(&self.certificate)
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

/// A connection to the proxy, which ends when it is dropped.
pub(super) struct TlsConnection {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl TlsConnection {
    fn send_head(
        &mut self,
        site: &Site,
        (method, path): (&str, &str),
        headers: &[&str],
    ) -> anyhow::Result<()> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\n", site.port);
        for header in headers {
            head.push_str(header);
            head.push_str("\r\n");
        }
        head.push_str("\r\n");
        Ok(self.input.write_all(head.as_bytes())?)
    }

    /// Reads the status and the lines of the headers.
    fn read_head(&mut self) -> anyhow::Result<(u16, String)> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            ensure!(self.output.read_line(&mut head)? > 0, "the proxy closed the connection: {head:?}");
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok((status.with_context(|| format!("the proxy answered {head:?}"))?, head))
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
