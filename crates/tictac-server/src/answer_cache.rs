//! The answers to recent questions to the solver.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;

/// The size of all answers with their questions, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// How long an answer is kept that is not complete: the server may have been busy.
const KEEP_INCOMPLETE: Duration = Duration::from_mins(1);

/// Answers as JSON by their questions; the oldest ones are dropped first.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache(Mutex<CachedAnswers>);

#[derive(Debug, Default)]
struct CachedAnswers {
    answers: HashMap<String, CachedAnswer>,
    /// The questions, oldest first.
    questions: VecDeque<String>,
    n_bytes: usize,
}

#[derive(Debug)]
struct CachedAnswer {
    json: Bytes,
    /// `None` if the answer is complete.
    until: Option<Instant>,
}

impl AnswerCache {
    /// Returns the answer to `question` if it is known.
    pub(crate) fn get(&self, question: &str) -> Option<Bytes> {
        let cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = cache.answers.get(question)?;
        answer.until.is_none_or(|until| Instant::now() < until).then(|| answer.json.clone())
    }

    /// Keeps an answer; one that is not complete only for a minute.
    pub(crate) fn insert(&self, question: String, json: Bytes, is_complete: bool) {
        let size = |question: &str, json: &Bytes| 2 * question.len() + json.len();
        let until = (!is_complete).then(|| Instant::now() + KEEP_INCOMPLETE);
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.n_bytes += size(&question, &json);
        let replaced = cache.answers.insert(question.clone(), CachedAnswer { json, until });
        match replaced {
            Some(old) => cache.n_bytes -= size(&question, &old.json),
            None => cache.questions.push_back(question),
        }
        while cache.n_bytes > MAX_BYTES {
            let Some(oldest) = cache.questions.pop_front() else { break };
            if let Some(old) = cache.answers.remove(&oldest) {
                cache.n_bytes -= size(&oldest, &old.json);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_answers_are_kept_within_the_limit() {
        let cache = AnswerCache::default();
        for n in 0..40 {
            cache.insert(n.to_string(), Bytes::from(vec![0; MAX_BYTES / 16]), true);
            cache.insert(n.to_string(), Bytes::from(vec![0; MAX_BYTES / 16]), n % 2 == 0);
        }
        let kept: Vec<u32> = (0..40).filter(|n| cache.get(&n.to_string()).is_some()).collect();
        assert_eq!(kept, (25..40).collect::<Vec<u32>>());
        let cache = cache.0.into_inner().unwrap();
        assert_eq!((cache.answers.len(), cache.questions.len()), (15, 15));
    }
}
