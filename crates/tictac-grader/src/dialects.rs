//! Right answers that the programs themselves do not give, because a document allows more than one.

use tictac_programs::tictactoe::{LineTitle, Tictactoe, TictactoeSession};
use tictac_programs::{Dialogue, Progress, notakto, run_on_bytes};

use crate::expect::Expected;

/// A game of `tictactoe` that is a tie as soon as it is dead: the bonus, and what our own program does.
pub(crate) fn early_tie(input: &[u8]) -> Expected {
    let transcript = run_on_bytes(TictactoeSession::default(), input);
    Expected { stdout: transcript.stdout, status: transcript.exit.status.into() }
}

/// The same where the board of a dead game is not shown any more, as the document's remark can be read.
pub(crate) fn unseen_tie(input: &[u8]) -> Option<Expected> {
    let early = early_tie(input);
    let text = std::str::from_utf8(&early.stdout).ok()?;
    let tie = text.find("It's a tie! No one")?;
    let board = text[..tie].rfind("  1  2  3\n")?;
    Some(Expected { stdout: [&text[..board], &text[tie..]].concat().into_bytes(), ..early })
}

/// The same where a tie is only told when the board is full: played by the document's own functions, for inputs that hold
/// nothing but integers.
pub(crate) fn late_tie(input: &[u8]) -> Expected {
    const TOKENS: [char; 2] = ['X', 'O'];
    let mut board = Tictactoe::new();
    let mut said = vec![
        "Let's play Tic Tac Toe!\n".to_owned(),
        board.print_me(),
        "\nEnter a move like \"1 2\" for row 1 column 2.\nX's turn: ".to_owned(),
    ];
    let mut n_moves = 0;
    for (row, column) in pairs(input) {
        let token = TOKENS[n_moves % 2];
        if let Err(mistake) = board.take_turn(row, column, token) {
            said.push(format!("{mistake}\n{token}'s turn: "));
            continue;
        }
        n_moves += 1;
        said.push(format!("{}\n", board.print_me()));
        let lines = board.is_win(token);
        if !lines.is_empty() || n_moves == 9 {
            said.extend(lines.iter().map(|&line| format!("{token} wins via {}\n", LineTitle(line))));
            said.push(if lines.is_empty() {
                "It's a tie!\n".to_owned()
            } else {
                format!("{token} has won the game!\n")
            });
            said.push("Goodbye!\n".to_owned());
            return Expected { stdout: said.concat().into(), status: 0 };
        }
        said.push(format!("{}'s turn: ", TOKENS[n_moves % 2]));
    }
    Expected { stdout: said.concat().into(), status: 1 }
}

fn pairs(input: &[u8]) -> Vec<(i32, i32)> {
    let text = String::from_utf8_lossy(input);
    let numbers: Vec<i32> = text.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
    numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// `notakto` as the demo program of the document plays it: board and prompt again after a bad location.
pub(crate) fn redrawing_notakto(input: &[u8]) -> Expected {
    let mut session = notakto::NotaktoSession::default();
    let (mut all, mut state) = (Vec::new(), Vec::new());
    let mut progress = session.start(&mut state);
    all.extend_from_slice(&state);
    for &byte in input {
        if progress != Progress::NeedsInput {
            break;
        }
        let mut said = Vec::new();
        progress = session.push(byte, &mut said);
        redraw(&mut all, &mut state, said);
    }
    let exit = if let Progress::Done(exit) = progress {
        exit
    } else {
        let mut said = Vec::new();
        let exit = session.finish(&mut said);
        redraw(&mut all, &mut state, said);
        exit
    };
    Expected { stdout: all, status: exit.status.into() }
}

fn redraw(all: &mut Vec<u8>, state: &mut Vec<u8>, said: Vec<u8>) {
    all.extend_from_slice(&said);
    if said.starts_with(b"Location") {
        all.extend_from_slice(state);
    } else if !said.is_empty() {
        *state = said;
    }
}

/// The last line as the sample playthrough of `notakto` shows it, with a blank at its end.
pub(crate) fn with_trailing_blank(expected: &Expected) -> Option<Expected> {
    let body = expected.stdout.strip_suffix(b" wins!\n")?;
    Some(Expected { stdout: [body, b" wins! \n"].concat(), ..expected.clone() })
}

/// The two namings of `lab3` mixed: a quit line that names the other player.
pub(crate) fn mixed_names(expected: &Expected) -> Option<Expected> {
    let text = std::str::from_utf8(&expected.stdout).ok()?;
    let (before, name, after) = [("Player X quits!", "O"), ("Player O quits!", "X")]
        .into_iter()
        .find_map(|(line, other)| Some((text.rfind(line)?, other, line.len())))?;
    let stdout = format!("{}Player {name} quits!{}", &text[..before], &text[before + after..]);
    Some(Expected { stdout: stdout.into_bytes(), ..expected.clone() })
}
