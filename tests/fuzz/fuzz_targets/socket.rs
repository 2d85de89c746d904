//! `cargo xtask fuzz --only socket`: what a client sends over the WebSocket of a game, as messages or as raw frames. The server answers with
//! whole frames of valid JSON, and ends the connection.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use tictac_fuzz::fuzz_server::FuzzServer;

thread_local! {
    static SERVER: RefCell<FuzzServer> = RefCell::default();
}

fuzz_target!(|bytes: &[u8]| SERVER.with_borrow_mut(|server| talk(server, bytes)));

/// Opens a socket and sends messages, which a byte that is in no text separates, or the bytes as they are.
fn talk(server: &mut FuzzServer, bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    server.count();
    let html = if choice & 2 == 0 { "" } else { "&html=true&lang=de" };
    let mut sent = format!(
        "GET /api/v1/games/{}/socket?since=0{html} HTTP/1.1\r\nHost: 127.0.0.1:8470\r\nCookie: seat={}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.game, server.seat
    )
    .into_bytes();
    if choice & 1 == 0 {
        rest.split(|&byte| byte == 0xFF).for_each(|message| sent.extend(frame(message)));
    } else {
        sent.extend(rest);
    }
    let received = server.converse(&sent);
    let head = received.windows(4).position(|part| part == b"\r\n\r\n").expect("a response");
    assert!(received.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&received));
    check_frames(&received[head + 4..]);
}

/// Returns a text message as a client sends it. A mask of zeros leaves the text readable to the fuzzer.
fn frame(message: &[u8]) -> Vec<u8> {
    let length = message.len().min(usize::from(u16::MAX));
    let mut frame = vec![0x81];
    match u8::try_from(length) {
        Ok(length) if length < 126 => frame.push(0x80 | length),
        _ => frame.extend([&[0xFE][..], &(length as u16).to_be_bytes()].concat()),
    }
    frame.extend([0; 4]);
    frame.extend(&message[..length]);
    frame
}

/// Checks what the server sends: unmasked frames that are complete, and JSON in those with text.
fn check_frames(mut bytes: &[u8]) {
    while let [kind, length, rest @ ..] = bytes {
        let (length, rest) = match (length, rest) {
            (0..126, _) => (usize::from(*length), rest),
            (126, [high, low, rest @ ..]) => (usize::from(u16::from_be_bytes([*high, *low])), rest),
            (127, _) => (u64::from_be_bytes(rest[..8].try_into().expect("eight bytes")) as usize, &rest[8..]),
            _ => panic!("the server masked a frame or did not end it"),
        };
        let (payload, rest) = rest.split_at(length);
        match kind {
            0x81 => drop(serde_json::from_slice::<serde_json::Value>(payload).expect("JSON")),
            0x88..=0x8A => {}
            _ => panic!("the server sent a frame of the kind {kind:x}"),
        }
        bytes = rest;
    }
    assert!(bytes.is_empty(), "the server did not end a frame");
}
