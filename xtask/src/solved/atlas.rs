//! The rules of the atlas, and where their outcomes were published.

/// The variants of the atlas: a heading, and the words after `m,n,k` in the rules.
pub(super) const VARIANTS: [(&str, &str); 6] = [
    ("Plain", ""),
    ("Misère", " misere"),
    ("Wild", " wild"),
    ("Wild misère", " wild misere"),
    ("X-only misère (Notakto)", " x-only misere"),
    ("X-only", " x-only"),
];

/// Boards of up to this many squares are in the atlas with every variant.
const MAX_SQUARES: u32 = 36;

/// Larger boards, in the atlas with plain rules only.
const LARGE: [(u32, u32); 19] = [
    (10, 4),
    (8, 5),
    (7, 6),
    (11, 4),
    (9, 5),
    (12, 4),
    (8, 6),
    (7, 7),
    (10, 5),
    (13, 4),
    (9, 6),
    (11, 5),
    (8, 7),
    (14, 4),
    (12, 5),
    (10, 6),
    (9, 7),
    (16, 4),
    (8, 8),
];

/// The dimensions and the variant of a game of the atlas on one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AtlasRules {
    pub(super) m: u32,
    pub(super) n: u32,
    pub(super) k: u32,
    /// The index in [`VARIANTS`].
    pub(super) variant: usize,
}

impl AtlasRules {
    /// Returns the rules of all games of the atlas on one board, small boards first.
    pub(super) fn all() -> Vec<AtlasRules> {
        let grids = (2..=6).flat_map(|n| (n.max(3)..=MAX_SQUARES / n).map(move |m| (m, n)));
        let mut small: Vec<(u32, u32)> = grids.collect();
        small.sort_by_key(|&(m, n)| (m * n, m));
        let games = |(m, n): (u32, u32), variants: std::ops::Range<usize>| {
            (3..=m).flat_map(move |k| variants.clone().map(move |variant| AtlasRules { m, n, k, variant }))
        };
        let small = small.into_iter().flat_map(|grid| games(grid, 0..VARIANTS.len()));
        small.chain(LARGE.into_iter().flat_map(|grid| games(grid, 0..1))).collect()
    }

    /// Returns the rules in canonical form.
    pub(super) fn text(self) -> String {
        let AtlasRules { m, n, k, variant } = self;
        let text = format!("{m},{n},{k}{}", VARIANTS[variant].1);
        if text == "3,3,3 x-only misere" { "notakto".to_owned() } else { text }
    }

    /// Returns the key of a publication that states or implies the value, as listed in [`SOURCES`].
    pub(super) fn published(self) -> Option<&'static str> {
        let AtlasRules { m, n, k, variant } = self;
        match (VARIANTS[variant].1, (m, n, k)) {
            ("", (9 | 10, 4, 4)) => Some("C"),
            ("", (_, 3.., 3) | (4..=9, 3..=4, 4..) | (5, 5, 4) | (6.., 5.., 4) | (9, 3..=6, 6..)) => {
                Some("U")
            }
            ("", (..=8, 3.., 5..)) => Some("H"),
            ("", (_, 3.., 9..)) => Some("B"),
            (" misere", (3 | 4, 3, 3) | (4, 4, 3 | 4)) => Some("L"),
            (" wild" | " wild misere", (3, 3, 3)) => Some("G"),
            (" x-only misere", (3, 3, 3)) => Some("P"),
            (" x-only", _) if m == n && n == k => Some("M"),
            _ => None,
        }
    }
}

/// The publications, by key, and where else we looked.
pub(super) const SOURCES: &str = "\
- **U**: J. Uiterwijk and H. J. van den Herik, *The advantage of the initiative*, Information Sciences 122 (2000). We saw its abstract (values of
  a large number of k-in-a-row games), not its tables. The values are those of Wikipedia's article *m,n,k-game* and of J. Uiterwijk,
  *Solving strong and weak 4-in-a-row*, IEEE Conference on Games (2019), as a public collection of known results quotes them: three in a row wins
  except on 3×3; 4×4, 5×4, 6×4 and 5×5 are draws with four in a row, 6×5 and larger boards are wins; boards narrower than a line are draws. The
  introduction of **C** adds the draws of four in a row up to 8×4. The rest follows: a draw of the weak game (only the first player's lines
  count) carries over to smaller boards and longer lines.
- **C**: V. Charatsidis, *Solving four-in-a-row on 9×4 and 10×4 boards*, Maastricht University (2017): both are wins; abstract and introduction seen.
  It says that boards from 29×4 up were known to be wins and those between were open. The paper of 2019 named under **U** may settle some of them; we
  have seen only what others quote from it.
- **H**: W.-Y. Hsu and others, *On solving the 7,7,5-game and the 8,8,5-game*, Theoretical Computer Science 815 (2020); abstract seen: both are draws.
  The smaller boards follow if the draw is one of the weak game, as the method suggests.
- **B**: E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, volume 3: nine in a row is a draw by pairs on any board.
- **L**: A. Levine, *Exploring tic-tac-toe variants*, Stetson University (2018). We saw its table of contents (misère, 4×4), not its values. That 3×3
  misère is a draw, by S. Golomb and A. Hales, is in Wikipedia's article *Tic-tac-toe variants*, quoted in the collection named above.
- **G**: Wikipedia's article *Wild tic-tac-toe*, seen in a revision of 2020 and in copies: the first player wins 3×3 wild, and the second player
  can force a draw in wild misère. It refers to R. A. Epstein, *The theory of gambling and statistical logic*.
- **P**: T. Plambeck and G. Whitehead, *The secrets of Notakto*, arXiv:1301.1672 (2013).
- **M**: T. Chow and others, *Neutral tic-tac-toe*, MathOverflow 24693 (2010): the first player wins n,n,n if n is odd, the second if n is even.
- **new**: not found in print. We looked in the publications above, and on 2026-11-17 searched a collection of web pages, documentation,
  source code and issue threads for m,n,k games, misère, wild and X-only tic-tac-toe on larger boards, Notakto on larger boards, and tables of
  outcomes. A result that is easy to compute may well have been computed before without being printed.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_listed_once_and_fits_the_rules() {
        let all = AtlasRules::all();
        let mut texts: Vec<String> = all.iter().map(|rules| rules.text()).collect();
        assert!(all.iter().all(|rules| rules.m >= rules.n && rules.k <= rules.m && rules.m * rules.n <= 64));
        assert!(
            ["notakto", "8,8,5", "6,6,3 wild misere", "18,2,18", "16,4,4"]
                .iter()
                .all(|text| texts.contains(&(*text).to_owned()))
        );
        let n_games = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), n_games);
    }
}
