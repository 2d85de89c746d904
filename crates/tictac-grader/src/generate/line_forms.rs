//! Lines of a record, made from their grammar: each part in every form that students' programs get wrong.

/// The parts of a line in their order, with the form that every program reads.
const PLAIN: [&str; 8] = ["", "1", " ", "X", " ", "A", "1", ""];

/// Forms of each part, valid and invalid, separated by `|`. Numbers beyond one digit come from [`overflowing`].
const FORMS: [&str; 8] = [
    // Before the line.
    " |\t|\r|  |#|# |x |.|-|+|0",
    // The move number.
    "|2|3|4|5|6|7|8|9|0|00|01|001|10|11|12|19|91|99|100|+1|-1|--1|1.|1.0|1,|1e0|0x1|1_|one|I|a|A|X|#|*",
    GAPS,
    // The player.
    "|O|x|o|Y|y|N|P|W|Z|z|0|1|*|XX|XO|OX|xO|OO|X1|#X|'X'|%",
    GAPS,
    // The row letter.
    "|B|C|a|b|c|D|d|E|Z|z|@|[|`|{|0|1|4|AA|AB|aA|A-|A,|#A|A\t",
    // The column digit.
    "|2|3|0|4|5|9|/|:|00|01|02|03|10|11|12|13|21|30|31|33|100|+1|-1|1.0|a|A|X|#|#1|a1",
    // After the square.
    concat!(
        " |\t|\r|\x0b|\x0c|  | \t |\r\r|x|X|.|,|;| x| X| 1| .| /|//| // c| -- c| ;c| 2 O B2| A1|A1|",
        "#|# c|#c|##| #| # |  #| # c|\t# c|\r# c|\x0b#|\x0c#c| #c#d| ##| # #| # # #| c # d| x#| 1 # c| # c\r|",
        " #1 X A1| # 2 O B2|  # 2 O B2| #\t\tx| # \"double\" 'single'| #\"| #'| # 100% %s %d %n| #%| # \\| # \\n \\0 \\\\|",
        " # one two three four five six seven eight nine ten eleven twelve| # $HOME `x` $(y) ${z}| #!/bin/sh|",
        " # <b> &amp; (a) [b] {c} ~ ^ * ? ! @ = + - _ , . ; :| # UPPER lower| #0| #-1",
    ),
];

const GAPS: &str =
    "|\t|\x0b|\x0c|\r|  |\t\t| \t| \t | \x0b\x0c\r |      |,|.|-|_|:|;|/|, | ,| . |\\t|&nbsp;|#| # ";

/// Sizes of buffers that students reserve for a line. Programs fail just below, at or above them.
const BUFFERS: [usize; 24] = [
    10, 16, 20, 24, 32, 40, 48, 50, 60, 64, 80, 100, 120, 128, 160, 200, 250, 256, 300, 400, 500, 512, 800,
    1000,
];

/// Returns lines, without newlines, that differ from a valid one in one part. `plain` has the number, the player, the
/// row and the column of the valid line.
pub(super) fn with_one_form(plain: [&str; 4]) -> Vec<String> {
    let [number, player, row, column] = plain;
    let plain = ["", number, " ", player, " ", row, column, ""];
    let value = |digits: &str| digits.parse().expect("a plain part is one digit");
    let mut lines = Vec::new();
    for (part, forms) in FORMS.iter().enumerate() {
        let overflowing = match part {
            1 => overflowing(value(number)),
            6 => overflowing(value(column)),
            _ => Vec::new(),
        };
        for form in forms.split('|').map(str::to_owned).chain(overflowing) {
            let mut parts = plain.map(str::to_owned);
            parts[part] = form;
            lines.push(parts.concat());
        }
    }
    lines
}

/// Returns valid lines, without newlines, with unusual forms in two parts.
pub(super) fn with_two_forms() -> Vec<String> {
    const VALID: [(usize, &[&str]); 6] = [
        (1, &["2", "9"]),
        (2, &["\t", "  ", "\r", "\x0b"]),
        (3, &["o", "x"]),
        (4, &["\t", "  ", "\x0c", " \t "]),
        (5, &["b", "C"]),
        (7, &[" ", "\t", "\r", " # c", " #", "\t# c d"]),
    ];
    let mut lines = Vec::new();
    for (at, &(first, forms)) in VALID.iter().enumerate() {
        for &(second, others) in &VALID[at + 1..] {
            for (form, other) in forms.iter().flat_map(|form| others.iter().map(move |other| (form, other))) {
                let mut parts = PLAIN;
                (parts[first], parts[second]) = (form, other);
                lines.push(parts.concat());
            }
        }
    }
    lines
}

/// Returns numbers that become `value` in an integer of 8, 16, 32 or 64 bits, and numbers with many digits.
pub(super) fn overflowing(value: u128) -> Vec<String> {
    let mut numbers = Vec::new();
    for bits in [8, 16, 32, 64] {
        numbers.push((value + 2_u128.pow(bits)).to_string());
        numbers.push(format!("-{}", 2_u128.pow(bits) - value));
    }
    let digits = value.to_string();
    numbers.extend([digits.repeat(10), digits.repeat(20), format!("{value:010}"), format!("{value:020}")]);
    numbers
}

/// Returns valid lines, without newlines, around the sizes of common buffers: with a long comment, and with many blanks
/// in one place. `code` is a move with single spaces.
pub(super) fn of_many_lengths(code: &str) -> Vec<String> {
    let gap = code.find(' ').expect("a move has spaces");
    let mut lengths: Vec<usize> = BUFFERS.iter().flat_map(|&size| size - 2..=size + 1).collect();
    lengths.dedup();
    lengths.retain(|&length| length > code.len() + 4);
    let mut lines = Vec::new();
    for length in lengths {
        let n_missing = length - code.len() - 1;
        let words: String =
            " # well played, and so on".chars().chain("abc de ".chars().cycle()).take(n_missing).collect();
        lines.push(format!("{code}{words}"));
        let blanks = " ".repeat(n_missing);
        // Blanks in one of the three places per length keep the number of cases low.
        lines.push(match length % 3 {
            0 => format!("{code}{blanks}"),
            1 => format!("{}{blanks}{}", &code[..gap], &code[gap..]),
            _ => format!("{}{blanks}{}", &code[..gap + 2], &code[gap + 2..]),
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_overflow_to_the_value() {
        let numbers = overflowing(1);
        for number in ["257", "-255", "65537", "4294967297", "18446744073709551617", "1111111111"] {
            assert!(numbers.iter().any(|each| each == number), "{number} {numbers:?}");
        }
        for number in numbers.iter().filter_map(|number| number.parse::<i128>().ok()).take(8) {
            assert!([8, 16, 32, 64].iter().any(|bits| number.rem_euclid(2_i128.pow(*bits)) == 1), "{number}");
        }
    }

    #[test]
    fn every_part_has_its_forms() {
        let lines = with_one_form(["2", "O", "B", "3"]);
        for line in
            [" 2 O B3", "258 O B3", "2\tO B3", "2 x B3", "2 O  B3", "2 O c3", "2 O B259", "2 O B3 # c"]
        {
            assert!(lines.iter().any(|each| each == line), "{line:?}");
        }
        assert!(with_two_forms().contains(&"1 x\tA1".to_owned()));
    }

    #[test]
    fn lengths_surround_the_sizes_of_buffers() {
        let lines = of_many_lengths("1 X A1");
        for size in BUFFERS.into_iter().skip(1) {
            for length in size - 2..=size + 1 {
                assert!(lines.iter().any(|line| line.len() + 1 == length && line.contains('#')), "{length}");
            }
        }
        assert!(lines.iter().any(|line| line.len() > 64 && line.contains("   X")));
    }
}
