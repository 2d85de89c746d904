//! Random inputs, mostly valid.

use fastrand::Rng;

/// Returns a record that is mostly valid.
pub fn record(rng: &mut Rng) -> Vec<u8> {
    let mut squares: Vec<usize> = (0..9).collect();
    rng.shuffle(&mut squares);
    let opener = rng.usize(..2);
    let n_moves = rng.usize(..=9);
    let mut text = Vec::new();
    for (at, square) in squares.into_iter().take(n_moves).enumerate() {
        let number = if rng.u8(..40) == 0 { rng.usize(..12) } else { at + 1 };
        let player = if rng.u8(..40) == 0 { rng.usize(..2) } else { (at + opener) % 2 };
        let square = if rng.u8(..40) == 0 { rng.usize(..9) } else { square };
        text.extend(line(rng, number, player, square));
        if rng.u8(..60) == 0 {
            text.push(b'\n');
        }
    }
    if rng.u8(..4) == 0 {
        text.pop();
    }
    if rng.u8(..3) == 0 {
        spoil(rng, &mut text, b"0123456789XOxoABCabcD# \t\n\x0b\x0c\r+-\x80");
    }
    text
}

fn line(rng: &mut Rng, number: usize, player: usize, square: usize) -> Vec<u8> {
    let mut gap = || {
        ["", " ", " ", " ", "  ", "\t", "\x0b", "\x0c", "\r"]
            [rng.usize(..9).max(usize::from(rng.u8(..30) > 0))]
    };
    let (first, second, tail) = (gap(), gap(), gap());
    let mut player = ["X", "O"][player].to_owned();
    let mut square = format!("{}{}", ["A", "B", "C"][square / 3], square % 3 + 1);
    if rng.u8(..5) == 0 {
        player = player.to_lowercase();
    }
    if rng.u8(..5) == 0 {
        square = square.to_lowercase();
    }
    let mut comment = ["", "", "", "", "# why", "#", "# a # b"][rng.usize(..7)].to_owned();
    if !comment.is_empty() && rng.u8(..8) == 0 {
        comment += &"well played ".repeat(rng.usize(..40));
    }
    let tail = if comment.is_empty() && rng.u8(..2) == 0 { "" } else { tail };
    format!("{number}{first}{player}{second}{square}{tail}{comment}\n").into_bytes()
}

/// Returns lines for `lab3`: squares, `quit`, and others.
pub fn lab3(rng: &mut Rng) -> Vec<u8> {
    let odd = [
        "quit",
        " quit\r",
        "Quit",
        "quit now",
        "1,,2",
        "1,-2",
        "-1,2",
        "+1,1",
        "1 2",
        "1",
        ",",
        "",
        " ",
        "0,1",
        "4,4",
        "1,4",
        "3,0",
        "01,002",
        " 2 , 3 ",
        "2,2 and more",
        "2,2x",
        "1.5,2",
        "2147483647,1",
        "2147483648,1",
        "1,99999999999999999999",
        "2\t,\t3",
        "x1,1",
        "\u{ff}",
        "3,3\r",
    ];
    let mut lines: Vec<String> =
        places(rng).iter().map(|place| format!("{},{}", place / 3 + 1, place % 3 + 1)).collect();
    for _ in 0..rng.usize(..4) {
        let at = rng.usize(..=lines.len());
        lines.insert(at, odd[rng.usize(..odd.len())].to_owned());
    }
    ended(rng, &lines, "\n")
}

/// Returns squares, `quit`, squares outside the board and words for `lab3`.
pub fn lab3_plain(rng: &mut Rng) -> Vec<u8> {
    let mut lines: Vec<String> =
        places(rng).iter().map(|place| format!("{},{}", place / 3 + 1, place % 3 + 1)).collect();
    for _ in 0..rng.usize(..4) {
        let at = rng.usize(..=lines.len());
        lines.insert(at, ["quit", "0,1", "4,4", "1,4", "3,0", "2,2", "what?"][rng.usize(..7)].to_owned());
    }
    lines.push("quit".to_owned());
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

/// Returns numbers and other words for `tictactoe`.
pub fn tictactoe(rng: &mut Rng) -> Vec<u8> {
    let odd = [
        "0 1",
        "1 4",
        "-1 2",
        "7",
        "2",
        "+1 01",
        "x",
        "1 x",
        "1.5 2",
        "1,2",
        "-",
        "99999999999999999999 1",
        "+",
        "- 1",
    ];
    numbers(rng, &odd)
}

/// Returns pairs of integers for `tictactoe`.
pub fn tictactoe_plain(rng: &mut Rng) -> Vec<u8> {
    numbers(rng, &["0 1", "1 4", "-1 2", "7 7", "2 2"])
}

fn numbers(rng: &mut Rng, odd: &[&str]) -> Vec<u8> {
    let mut lines: Vec<String> =
        places(rng).iter().map(|place| format!("{} {}", place / 3 + 1, place % 3 + 1)).collect();
    for _ in 0..rng.usize(..4) {
        let at = rng.usize(..=lines.len());
        lines.insert(at, odd[rng.usize(..odd.len())].to_owned());
    }
    let end = ["\n", "\n", "\r\n", " ", "\n\n"][rng.usize(..5)];
    ended(rng, &lines, end)
}

/// Returns locations and other words for `notakto`.
pub fn notakto(rng: &mut Rng) -> Vec<u8> {
    locations(rng, &["0", "10", "-1", "01", "+1", "1.5", "x", "12345678901234567890", "\u{e9}", "5"])
}

/// Returns numbers and words of letters for `notakto`.
pub fn notakto_plain(rng: &mut Rng) -> Vec<u8> {
    locations(rng, &["0", "10", "-1", "x", "ten", "5"])
}

fn locations(rng: &mut Rng, odd: &[&str]) -> Vec<u8> {
    let mut words: Vec<String> = places(rng).iter().map(|place| (place + 1).to_string()).collect();
    for _ in 0..rng.usize(..4) {
        let at = rng.usize(..=words.len());
        words.insert(at, odd[rng.usize(..odd.len())].to_owned());
    }
    let end = ["\n", "\n", "\r\n", " ", "\n\n"][rng.usize(..5)];
    ended(rng, &words, end)
}

/// Returns some of the nine squares in random order.
fn places(rng: &mut Rng) -> Vec<usize> {
    let mut places: Vec<usize> = (0..9).collect();
    rng.shuffle(&mut places);
    if rng.u8(..4) == 0 {
        places.truncate(rng.usize(..9));
    }
    places
}

fn ended(rng: &mut Rng, words: &[String], end: &str) -> Vec<u8> {
    let mut text = words.join(end).into_bytes();
    if rng.u8(..4) > 0 {
        text.push(b'\n');
    }
    text
}

/// Removes, changes or adds a byte, once or twice.
fn spoil(rng: &mut Rng, text: &mut Vec<u8>, alphabet: &[u8]) {
    for _ in 0..rng.usize(1..3) {
        let byte = alphabet[rng.usize(..alphabet.len())];
        let at = rng.usize(..=text.len());
        match rng.u8(..3) {
            0 if at < text.len() => drop(text.remove(at)),
            1 if at < text.len() => text[at] = byte,
            _ => text.insert(at, byte),
        }
    }
}
