//! Converts the output of the reference program to that of a program that makes other choices allowed by the document.

/// Removes spaces at the ends of lines.
pub(crate) fn without_trailing_spaces(output: &str) -> String {
    output.lines().map(|line| line.trim_end_matches(' ').to_owned() + "\n").collect()
}

/// Removes empty lines, and the heading that one build of `lab3` prints.
pub(crate) fn without_layout(output: &str) -> String {
    let lines = output.lines().filter(|line| !line.is_empty() && *line != "Current Game Board:");
    lines.map(|line| line.to_owned() + "\n").collect()
}

/// Adds the space after `wins!` in the example of the document.
pub(crate) fn with_space_after_wins(output: &str) -> String {
    output.replace("wins!\n", "wins! \n")
}

/// Translates to the wording of the `full-board` style, which names only one of two lines.
pub(crate) fn in_other_words(output: &str) -> String {
    let mut result = String::new();
    let mut is_named = false;
    for part in output.split_inclusive('\n') {
        let is_via = part.contains(" wins via ");
        if is_via && is_named {
            continue;
        }
        is_named |= is_via;
        match part.find("Row ").filter(|_| part.contains("is already taken.")) {
            Some(at) => result.extend([&part[..at], "That place is already taken.\n"]),
            None => result += part,
        }
    }
    result
}

/// Like [`in_other_words`], and draws the board again after each refused move.
pub(crate) fn with_boards_again(output: &str) -> String {
    let output = in_other_words(output);
    let refusals = ["That place is already taken.", "Row and column must be", "Please enter two numbers"];
    let mut result = String::new();
    let mut board = "";
    let mut start = 0;
    for line in output.split_inclusive('\n') {
        let end = start + line.len();
        if let Some(at) = line.find("  1  2  3\n") {
            // A header, three rows and an empty line have 41 bytes.
            board = &output[start + at..start + at + 41];
        }
        result += line;
        if refusals.iter().any(|refusal| line.contains(refusal)) {
            result += board;
        }
        start = end;
    }
    result
}

/// Translates to the wording of the `own-words` style, which announces an early tie without its board.
pub(crate) fn in_own_words(output: &str) -> String {
    let mut output = in_other_words(output);
    if let Some(tie) = output.find("It's a tie!") {
        // The first line of a board follows a prompt.
        let board = output[..tie].rfind("  1  2  3\n").expect("a board precedes the tie");
        output = format!("{}The game is tied, no one wins.\nThe game is over. Bye!\n", &output[..board]);
    }
    for (kind, lower) in [("Row", "row"), ("Column", "column"), ("Diagonal", "diagonal")] {
        for number in 1..=3 {
            for token in ["X", "O"] {
                let there =
                    format!("{token} wins via {kind} {number}\n{token} has won the game!\nGoodbye!\n");
                output = output.replace(
                    &there,
                    &format!("Player {token} won via {lower}{number}\nThe game is over. Bye!\n"),
                );
            }
        }
    }
    let words = [
        ("Let's play Tic Tac Toe!", "Welcome to noughts and crosses."),
        ("Enter a move like \"1 2\" for row 1 column 2.", INSTRUCTIONS),
        ("Row and column must be from 1 to 3.", "There are only 3 rows and 3 columns, numbered 1 to 3!"),
        ("That place is already taken.", "Sorry, that square is already occupied."),
        ("Please enter two numbers, such as \"1 2\".", "I did not understand that; two numbers, please."),
        ("X's turn: ", "Player X's turn (row column): "),
        ("O's turn: ", "Player O's turn (row column): "),
    ];
    for (there, here) in words {
        output = output.replace(there, here);
    }
    let squeezed = output.split_inclusive('\n').map(|line| match line.rsplit_once(": ") {
        // The header of a board follows a prompt on the same line.
        Some((prompt, board)) if prompt.contains("turn") => format!("{prompt}: {}", squeezed(board)),
        _ => squeezed(line),
    });
    squeezed.collect()
}

const INSTRUCTIONS: &str =
    "Type the row and the column of your choice, each a number from 1 to 3, with a space between.";

fn squeezed(line: &str) -> String {
    let is_board = line == "  1  2  3\n" || (line.len() == 10 && line.starts_with(['1', '2', '3']));
    if is_board { format!("{}{}", &line[..2], line[2..].replace("  ", " ")) } else { line.to_owned() }
}

/// Translates to the wording of `tictactoe.c`.
pub(crate) fn in_the_words_of_c(output: &str) -> String {
    let mut output = in_other_words(output)
        .replace(
            "Enter a move like \"1 2\" for row 1 column 2.",
            "Enter your move as two numbers from 1 to 3: the row, a space, the column.",
        )
        .replace(
            "Row and column must be from 1 to 3.",
            "Invalid move: row and column must be between 1 and 3.",
        )
        .replace("That place is already taken.", "Invalid move: that position is already taken.");
    for token in ["X", "O"] {
        output = output.replace(&format!("{token} has won the game!\n"), "");
        for (there, here) in [("Row ", "row"), ("Column ", "column"), ("Diagonal ", "diagonal ")] {
            output = output
                .replace(&format!("{token} wins via {there}"), &format!("Player {token} won via {here}"));
        }
    }
    output
}
