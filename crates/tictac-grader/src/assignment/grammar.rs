//! A small grammar that describes inputs: it generates them, and recognises them when they are made smaller.
//!
//! | written | means |
//! |---|---|
//! | `'text'` | these bytes; `\n`, `\t`, `\r`, `\\`, `\'` and `\x41` are escapes |
//! | `name` | what the grammar says about this name |
//! | `1..9999` | a whole number in this range, without leading zeros |
//! | `'a'..'z'` | one byte in this range |
//! | `one two` | one after the other |
//! | `one \| two` | either of them |
//! | `one?`, `one*`, `one+`, `one{2}`, `one{2,5}` | at most once, up to 8 times, 1 to 8 times, twice, 2 to 5 times |
//! | `( one )` | grouping |

use std::collections::{BTreeMap, HashMap};

use fastrand::Rng;

mod parse;

/// A generated input has at most this many bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Steps that are spent on generating one input.
const MAX_GENERATE_STEPS: usize = 100_000;
/// Steps that are spent on recognising one input.
const MAX_MATCH_STEPS: usize = 200_000;
/// Below this depth the shortest alternative is chosen, so that a recursive rule ends. After many steps this begins earlier.
const MAX_DEPTH: usize = 24;
const MAX_DEPTH_AFTER_MANY_STEPS: usize = 3;
const MANY_STEPS: usize = 500;
/// Patterns are followed no deeper than this, so that no grammar needs much of the stack.
const MAX_NESTING: usize = 2000;

/// What an input may look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputPattern {
    Literal(Vec<u8>),
    /// The rule with this index.
    Rule(usize),
    Number(i64, i64),
    Byte(u8, u8),
    Sequence(Vec<InputPattern>),
    Choice(Vec<InputPattern>),
    Repeat(Box<InputPattern>, usize, usize),
}

/// Named rules that input patterns refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grammar {
    names: Vec<String>,
    rules: Vec<InputPattern>,
    /// How many rules are entered one inside the other in the shortest input of each rule.
    depths: Vec<usize>,
}

/// A mistake in the text of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// The byte at which it was found.
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Grammar {
    /// Parses named rules, which may refer to each other. The error also names the rule.
    pub(crate) fn new(texts: &BTreeMap<String, String>) -> Result<Grammar, (String, PatternError)> {
        let names: Vec<String> = texts.keys().cloned().collect();
        let mut grammar = Grammar { names, ..Grammar::default() };
        for (name, text) in texts {
            let rule = grammar.parse(text).map_err(|error| (name.clone(), error))?;
            grammar.rules.push(rule);
        }
        grammar.find_depths().map_err(|name| {
            let message = format!("{name} never ends: every way to write it contains {name} again");
            (name, PatternError { at: 0, message })
        })?;
        Ok(grammar)
    }

    /// Parses a pattern that may refer to the rules.
    pub(crate) fn parse(&self, text: &str) -> Result<InputPattern, PatternError> {
        parse::pattern(text, &self.names)
    }

    /// Computes the depths; the error is the name of a rule that never ends.
    fn find_depths(&mut self) -> Result<(), String> {
        let n_rules = self.rules.len();
        self.depths = vec![usize::MAX; n_rules];
        for _ in 0..=n_rules {
            for at in 0..n_rules {
                self.depths[at] = self.depth(&self.rules[at]).saturating_add(1);
            }
        }
        match self.depths.iter().position(|&depth| depth == usize::MAX) {
            Some(at) => Err(self.names[at].clone()),
            None => Ok(()),
        }
    }

    fn depth(&self, pattern: &InputPattern) -> usize {
        match pattern {
            InputPattern::Rule(at) => self.depths[*at],
            InputPattern::Sequence(parts) => parts.iter().map(|part| self.depth(part)).max().unwrap_or(0),
            InputPattern::Choice(parts) => parts.iter().map(|part| self.depth(part)).min().unwrap_or(0),
            InputPattern::Repeat(_, 0, _) => 0,
            InputPattern::Repeat(part, ..) => self.depth(part),
            _ => 0,
        }
    }

    /// Returns every input that a pattern describes, but no more than `max`.
    pub(crate) fn all_inputs(&self, pattern: &InputPattern, max: usize) -> Vec<Vec<u8>> {
        self.endings(pattern, vec![Vec::new()], max, 0)
    }

    /// Returns each of the `starts` followed by everything that a pattern describes, in the order in which it is written.
    fn endings(
        &self,
        pattern: &InputPattern,
        starts: Vec<Vec<u8>>,
        max: usize,
        depth: usize,
    ) -> Vec<Vec<u8>> {
        let with =
            |starts: &[Vec<u8>], end: &[u8]| starts.iter().map(|start| [start, end].concat()).collect();
        let mut all: Vec<Vec<u8>> = match pattern {
            _ if depth > MAX_DEPTH => Vec::new(),
            InputPattern::Literal(text) => with(&starts, text),
            InputPattern::Rule(at) => self.endings(&self.rules[*at], starts, max, depth + 1),
            InputPattern::Number(from, to) => {
                let numbers = (*from..=*to).take(max).map(|number| number.to_string().into_bytes());
                product(&starts, &numbers.collect::<Vec<_>>(), max)
            }
            InputPattern::Byte(from, to) => {
                product(&starts, &(*from..=*to).map(|byte| vec![byte]).collect::<Vec<_>>(), max)
            }
            InputPattern::Sequence(parts) => {
                parts.iter().fold(starts, |starts, part| self.endings(part, starts, max, depth))
            }
            InputPattern::Choice(parts) => {
                let ends = parts.iter().flat_map(|part| self.endings(part, vec![Vec::new()], max, depth));
                product(&starts, &ends.take(max).collect::<Vec<_>>(), max)
            }
            InputPattern::Repeat(part, from, to) => {
                let mut now = (0..*from).fold(starts, |starts, _| self.endings(part, starts, max, depth));
                let mut all = now.clone();
                for _ in *from..*to {
                    if now.is_empty() || all.len() >= max {
                        break;
                    }
                    now = self.endings(part, now, max, depth);
                    all.extend(now.iter().cloned());
                }
                all
            }
        };
        all.truncate(max);
        all
    }

    /// Returns whether a pattern describes the whole input. An input that takes too long to decide is not described.
    pub(crate) fn matches(&self, pattern: &InputPattern, input: &[u8]) -> bool {
        let mut matcher = Matcher { grammar: self, input, steps: 0, known: HashMap::new() };
        input.len() <= MAX_BYTES && matcher.ends(pattern, 0, 0).contains(&input.len())
    }
}

/// Returns each start with each end, but no more than `max` texts.
fn product(starts: &[Vec<u8>], ends: &[Vec<u8>], max: usize) -> Vec<Vec<u8>> {
    let all = starts.iter().flat_map(|start| ends.iter().map(move |end| [&start[..], end].concat()));
    all.take(max).collect()
}

/// Generates inputs. Alternatives take turns, so that a few inputs try all of them.
pub(crate) struct InputGenerator<'a> {
    grammar: &'a Grammar,
    rng: &'a mut Rng,
    /// How often each alternative of each choice was taken; a choice is known by its place in memory.
    uses: HashMap<*const InputPattern, Vec<usize>>,
    steps: usize,
    nesting: usize,
    out: Vec<u8>,
}

impl<'a> InputGenerator<'a> {
    pub(crate) fn new(grammar: &'a Grammar, rng: &'a mut Rng) -> InputGenerator<'a> {
        InputGenerator { grammar, rng, uses: HashMap::new(), steps: 0, nesting: 0, out: Vec::new() }
    }

    /// Returns an input, or `None` if it would be too long.
    pub(crate) fn generate(&mut self, pattern: &InputPattern) -> Option<Vec<u8>> {
        (self.steps, self.nesting, self.out) = (0, 0, Vec::new());
        self.add(pattern, 0)?;
        Some(std::mem::take(&mut self.out))
    }

    fn add(&mut self, pattern: &InputPattern, depth: usize) -> Option<()> {
        self.steps += 1;
        self.nesting += 1;
        if self.steps > MAX_GENERATE_STEPS || self.nesting > MAX_NESTING || self.out.len() > MAX_BYTES {
            return None;
        }
        match pattern {
            InputPattern::Literal(bytes) => self.out.extend(bytes),
            InputPattern::Rule(at) => self.add(&self.grammar.rules[*at], depth + 1)?,
            InputPattern::Number(from, to) => {
                let number = self.number(*from, *to);
                self.out.extend(number.to_string().bytes());
            }
            InputPattern::Byte(from, to) => {
                let byte = self.byte(*from, *to);
                self.out.push(byte);
            }
            InputPattern::Sequence(parts) => parts.iter().try_for_each(|part| self.add(part, depth))?,
            InputPattern::Choice(parts) => {
                let at = self.alternative(parts, depth);
                self.add(&parts[at], depth)?;
            }
            InputPattern::Repeat(part, from, to) => {
                let n = match self.rng.u8(..4) {
                    _ if self.must_end(depth) => *from,
                    0 => *from,
                    1 => *to,
                    _ => self.rng.usize(*from..=*to),
                };
                (0..n).try_for_each(|_| self.add(part, depth))?;
            }
        }
        self.nesting -= 1;
        Some(())
    }

    fn must_end(&self, depth: usize) -> bool {
        depth > MAX_DEPTH || (self.steps > MANY_STEPS && depth > MAX_DEPTH_AFTER_MANY_STEPS)
    }

    /// Returns a number in a range, often one at its ends or with few digits.
    fn byte(&mut self, from: u8, to: u8) -> u8 {
        match self.rng.u8(..10) {
            0 => from,
            1 => to,
            _ => self.rng.u8(from..=to),
        }
    }

    fn number(&mut self, from: i64, to: i64) -> i64 {
        match self.rng.u8(..10) {
            0 => from,
            1 => to,
            2 => from.saturating_add(1).min(to),
            3 => to.saturating_sub(1).max(from),
            4 | 5 => {
                let magnitude = 10_i64.saturating_pow(self.rng.u32(1..19));
                self.rng.i64(from..=to.min(from.saturating_add(magnitude)))
            }
            _ => self.rng.i64(from..=to),
        }
    }

    fn alternative(&mut self, parts: &[InputPattern], depth: usize) -> usize {
        if self.must_end(depth) {
            let shortest = (0..parts.len()).min_by_key(|&at| self.grammar.depth(&parts[at]));
            return shortest.unwrap_or(0);
        }
        let uses = self.uses.entry(parts.as_ptr()).or_insert_with(|| vec![0; parts.len()]);
        let least = uses.iter().copied().min().unwrap_or(0);
        let candidates: Vec<usize> = (0..parts.len()).filter(|&at| uses[at] == least).collect();
        let at = candidates[self.rng.usize(..candidates.len())];
        uses[at] += 1;
        at
    }
}

/// Finds where a pattern may end in an input.
struct Matcher<'a> {
    grammar: &'a Grammar,
    input: &'a [u8],
    steps: usize,
    /// The ends of each rule at each place. A rule that is being tried there has none yet.
    known: HashMap<(usize, usize), Vec<usize>>,
}

impl Matcher<'_> {
    /// Returns where a pattern may end that starts here; `depth` counts the patterns around it.
    fn ends(&mut self, pattern: &InputPattern, start: usize, depth: usize) -> Vec<usize> {
        self.steps += 1;
        if self.steps > MAX_MATCH_STEPS || depth > MAX_NESTING {
            return Vec::new();
        }
        let rest = &self.input[start..];
        match pattern {
            InputPattern::Literal(bytes) if rest.starts_with(bytes) => vec![start + bytes.len()],
            InputPattern::Literal(_) => Vec::new(),
            InputPattern::Byte(from, to) => match rest.first() {
                Some(byte) if (from..=to).contains(&byte) => vec![start + 1],
                _ => Vec::new(),
            },
            InputPattern::Number(from, to) => {
                number_ends(rest, *from, *to).into_iter().map(|end| start + end).collect()
            }
            InputPattern::Rule(at) => {
                if let Some(known) = self.known.get(&(*at, start)) {
                    return known.clone();
                }
                self.known.insert((*at, start), Vec::new());
                let grammar = self.grammar;
                let ends = self.ends(&grammar.rules[*at], start, depth + 1);
                self.known.insert((*at, start), ends.clone());
                ends
            }
            InputPattern::Sequence(parts) => {
                parts.iter().fold(vec![start], |starts, part| self.next(part, &starts, depth))
            }
            InputPattern::Choice(parts) => {
                let all = parts.iter().flat_map(|part| self.ends(part, start, depth + 1)).collect();
                sorted(all)
            }
            InputPattern::Repeat(part, from, to) => {
                let mut now = vec![start];
                let mut all = if *from == 0 { now.clone() } else { Vec::new() };
                for n in 1..=*to {
                    now = self.next(part, &now, depth);
                    if now.is_empty() {
                        break;
                    }
                    if n >= *from {
                        all.extend(&now);
                    }
                }
                sorted(all)
            }
        }
    }

    fn next(&mut self, pattern: &InputPattern, starts: &[usize], depth: usize) -> Vec<usize> {
        sorted(starts.iter().flat_map(|&start| self.ends(pattern, start, depth + 1)).collect())
    }
}

fn sorted(mut ends: Vec<usize>) -> Vec<usize> {
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// Returns where a number in this range may end: `12` contains also the number 1.
fn number_ends(text: &[u8], from: i64, to: i64) -> Vec<usize> {
    let n_signs = usize::from(text.first() == Some(&b'-'));
    let n_digits = text[n_signs..].iter().take(19).take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = |end: &usize| {
        let word = std::str::from_utf8(&text[..*end]).unwrap_or_default();
        let number: Option<i64> = word.parse().ok().filter(|number: &i64| number.to_string() == word);
        number.is_some_and(|number| (from..=to).contains(&number))
    };
    (n_signs + 1..=n_signs + n_digits).filter(is_number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grammar(rules: &[(&str, &str)]) -> Grammar {
        let texts = rules.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Grammar::new(&texts).unwrap()
    }

    #[test]
    fn what_is_generated_is_recognised() {
        let grammar = grammar(&[
            ("year", "1..9999"),
            ("range", r"year ' ' year '\n'"),
            ("list", "'(' (list | 'a'..'c')* ')'"),
            ("sign", "'+'? ('-' | '\\x41'){2,3}"),
        ]);
        for text in ["range", "list", "sign", "-5..5 | range+", "''"] {
            let pattern = grammar.parse(text).unwrap();
            let mut rng = Rng::with_seed(1);
            let mut generator = InputGenerator::new(&grammar, &mut rng);
            for _ in 0..200 {
                let input = generator.generate(&pattern).unwrap();
                assert!(grammar.matches(&pattern, &input), "{text}: {:?}", String::from_utf8_lossy(&input));
            }
        }
    }

    #[test]
    fn what_is_not_described_is_not_recognised() {
        let grammar = grammar(&[("year", "1..9999")]);
        let range = grammar.parse(r"year ' ' year '\n'").unwrap();
        for input in ["1 2", "01 2\n", "0 1\n", "1  2\n", "1 10000\n", "+1 2\n", "", "1 2\n\n"] {
            assert!(!grammar.matches(&range, input.as_bytes()), "{input:?}");
        }
        assert!(grammar.matches(&range, b"12 9999\n"));
    }

    #[test]
    fn alternatives_take_turns_and_the_ends_of_a_range_come_soon() {
        let grammar = Grammar::default();
        let pattern = grammar.parse("'a' | 'b' | 'c' | 'd' | 'e'").unwrap();
        let mut rng = Rng::with_seed(3);
        let mut generator = InputGenerator::new(&grammar, &mut rng);
        let mut five: Vec<Vec<u8>> = (0..5).map(|_| generator.generate(&pattern).unwrap()).collect();
        five.sort();
        assert_eq!(five.concat(), b"abcde");
        let number = grammar.parse("1..1000000").unwrap();
        let found: Vec<Vec<u8>> = (0..60).map(|_| generator.generate(&number).unwrap()).collect();
        for end in ["1", "2", "999999", "1000000"] {
            assert!(found.contains(&end.into()), "{end}");
        }
        let byte = grammar.parse(r"'\x01'..'\xfe'").unwrap();
        let found: Vec<Vec<u8>> = (0..60).map(|_| generator.generate(&byte).unwrap()).collect();
        assert!(found.contains(&vec![1]) && found.contains(&vec![0xfe]));
    }

    #[test]
    fn a_rule_without_an_end_and_one_that_grows_without_bound_are_caught() {
        let texts = [("a".to_owned(), "'x' b".to_owned()), ("b".to_owned(), "a | 'y' a".to_owned())];
        let (name, error) = Grammar::new(&texts.into()).unwrap_err();
        assert_eq!(name, "a");
        assert!(error.message.contains("never ends"), "{}", error.message);
        let repeated = [("a".to_owned(), "'x' a{1,2}".to_owned())];
        assert!(Grammar::new(&repeated.into()).is_err());
        // 2⁴⁰ bytes if it were written out.
        let names: Vec<String> = (0..41).map(|n| format!("n{n:02}")).collect();
        let rules: Vec<(&str, String)> = (0..40)
            .map(|n| (names[n].as_str(), format!("{0} {0}", names[n + 1])))
            .chain([(names[40].as_str(), "'x'".to_owned())])
            .collect();
        let rules: Vec<(&str, &str)> = rules.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let grammar = grammar(&rules);
        let pattern = grammar.parse("n00").unwrap();
        let mut rng = Rng::with_seed(1);
        assert_eq!(InputGenerator::new(&grammar, &mut rng).generate(&pattern), None);
        assert!(!grammar.matches(&pattern, &[b'x'; 1000]));
    }

    #[test]
    fn deep_nesting_does_not_need_much_of_the_stack() {
        let nested = |inner: &str| format!("{}{inner}{}", "('x' ".repeat(90), " 'x')".repeat(90));
        let names: Vec<String> = (0..301).map(|n| format!("n{n:03}")).collect();
        let mut rules: Vec<(&str, String)> =
            (0..300).map(|n| (names[n].as_str(), nested(&names[n + 1]))).collect();
        rules.push((&names[300], "'x'".to_owned()));
        let rules: Vec<(&str, &str)> = rules.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let grammar = grammar(&rules);
        let pattern = grammar.parse("n000").unwrap();
        let mut rng = Rng::with_seed(1);
        assert_eq!(InputGenerator::new(&grammar, &mut rng).generate(&pattern), None);
        assert!(!grammar.matches(&pattern, &vec![b'x'; 60_000]));
    }
}
