//! What an opened record says besides its moves, so that saving does not lose it.

use tictac::Move;

/// The tags and comments of an opened record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The tags but for the rules, which every record of ours says itself: the name, and the line as it is written.
    pub tags: Vec<(String, String)>,
    /// The moves that the comments belong to, and the comments, without their sign.
    pub moves: Vec<(Move, Option<String>)>,
}

/// Tags that are true only of the game as it was.
const OF_THE_END: [&str; 2] = ["Result", "Termination"];

impl Kept {
    /// Returns a record of `moves` with what was kept: all of it where the game is still the same, and of another one the
    /// tags that do not speak of its end, and the comments on the moves that are the same.
    pub fn add_to(&self, record: &str, moves: &[Move]) -> String {
        let is_same = moves.iter().eq(self.moves.iter().map(|(mv, _)| mv));
        let says = |name: &str| record.lines().any(|line| line.starts_with(&format!("[{name} ")));
        let tags = self
            .tags
            .iter()
            .filter(|(name, _)| !says(name) && (is_same || !OF_THE_END.contains(&name.as_str())));
        let (head, body): (Vec<&str>, Vec<&str>) = record.lines().partition(|line| line.starts_with('['));
        let mut lines: Vec<String> = head.into_iter().map(str::to_owned).collect();
        lines.extend(tags.map(|(_, line)| line.clone()));
        let mut comments = self.comments_on(moves);
        lines.extend(body.into_iter().map(|line| match comments.next().flatten() {
            Some(comment) => format!("{line} # {comment}"),
            None => line.to_owned(),
        }));
        lines.into_iter().map(|line| line + "\n").collect()
    }

    /// The comments on the moves, as far as they are the same.
    fn comments_on<'a>(&'a self, moves: &'a [Move]) -> impl Iterator<Item = Option<&'a str>> {
        let pairs = self.moves.iter().zip(moves).take_while(|((old, _), new)| old == *new);
        pairs.map(|((_, comment), _)| comment.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use tictac::Rules;

    use super::*;

    #[test]
    fn what_a_record_says_stays_as_long_as_it_is_true() {
        let mv = |text: &str| Rules::CLASSIC.parse_move(text).unwrap();
        let kept = Kept {
            tags: vec![
                ("Event".to_owned(), "[Event \"club \\\"A\\\"\"]".to_owned()),
                ("Result".to_owned(), "[Result \"*\"]".to_owned()),
            ],
            moves: vec![
                (mv("X B2"), Some("the middle".to_owned())),
                (mv("O A1"), Some("a corner".to_owned())),
            ],
        };
        let same = kept.add_to("1 X B2\n2 O A1\n", &[mv("X B2"), mv("O A1")]);
        assert_eq!(
            same,
            "[Event \"club \\\"A\\\"\"]\n[Result \"*\"]\n1 X B2 # the middle\n2 O A1 # a corner\n"
        );
        let other = kept.add_to("[Rules \"3,3,3\"]\n1 X B2\n2 O A2\n", &[mv("X B2"), mv("O A2")]);
        assert_eq!(other, "[Rules \"3,3,3\"]\n[Event \"club \\\"A\\\"\"]\n1 X B2 # the middle\n2 O A2\n");
        assert_eq!(Kept::default().add_to("1 X B2\n", &[mv("X B2")]), "1 X B2\n");
    }

    #[test]
    fn a_tag_that_the_new_record_has_is_not_written_twice() {
        let mv = Rules::CLASSIC.parse_move("X B2").unwrap();
        let tag = |name: &str, value: &str| (name.to_owned(), format!("[{name} \"{value}\"]"));
        let kept = Kept {
            tags: vec![tag("Event", "club"), tag("Result", "1-0"), tag("Termination", "time")],
            moves: vec![(mv, None)],
        };
        let resigned = "[Result \"*\"]\n[Termination \"O resigned\"]\n1 X B2\n";
        let expected = "[Result \"*\"]\n[Termination \"O resigned\"]\n[Event \"club\"]\n1 X B2\n";
        assert_eq!(kept.add_to(resigned, &[mv]), expected);
    }
}
