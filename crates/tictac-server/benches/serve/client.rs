//! A minimal WebSocket client, so that the load generator leaves the processors to the server.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The bytes that are read at a time.
const READ_SIZE: usize = 4 * 1024;

/// A connection on which text messages are sent and received.
pub(crate) struct Socket {
    stream: TcpStream,
    /// Received bytes; those before `start` belong to messages that were returned.
    received: Vec<u8>,
    start: usize,
}

impl Socket {
    /// Opens a socket at `path` with the token of a seat.
    pub(crate) async fn connect(address: &str, path: &str, token: &str) -> Socket {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\nupgrade: websocket\r\n\
             connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut socket = Socket { stream, received: Vec::new(), start: 0 };
        loop {
            socket.read().await;
            if let Some(end) = socket.received.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                assert!(
                    socket.received.starts_with(b"HTTP/1.1 101"),
                    "{}",
                    String::from_utf8_lossy(&socket.received)
                );
                socket.start = end + 4;
                return socket;
            }
        }
    }

    /// Sends a text of fewer than 126 bytes. The mask is zero, which leaves the text as it is.
    pub(crate) async fn send(&mut self, text: &str) {
        assert!(text.len() < 126, "a longer text needs a longer header");
        let mut frame = vec![0x81, 0x80 | text.len() as u8, 0, 0, 0, 0];
        frame.extend_from_slice(text.as_bytes());
        self.stream.write_all(&frame).await.unwrap();
    }

    /// Returns the payload of the next text message; others are skipped.
    pub(crate) async fn receive(&mut self) -> &[u8] {
        loop {
            match frame(&self.received[self.start..]) {
                None => self.read().await,
                Some((opcode, payload, size)) => {
                    let begin = self.start + payload;
                    self.start += size;
                    if opcode == 1 {
                        return &self.received[begin..self.start];
                    }
                }
            }
        }
    }

    async fn read(&mut self) {
        self.received.drain(..self.start);
        self.start = 0;
        self.received.reserve(READ_SIZE);
        let n = self.stream.read_buf(&mut self.received).await.unwrap();
        assert!(n > 0, "the server has closed the connection");
    }
}

/// Returns the opcode of a frame, where its payload begins and its size, or `None` if it is not complete.
fn frame(bytes: &[u8]) -> Option<(u8, usize, usize)> {
    let opcode = bytes.first()? & 15;
    let (payload, length) = match *bytes.get(1)? {
        126 => (4, usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => (10, usize::try_from(u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?)).ok()?),
        length => (2, usize::from(length)),
    };
    (bytes.len() >= payload + length).then_some((opcode, payload, payload + length))
}
