//! Steps that run one after the other whatever becomes of each, with their times and a summary.

use std::time::{Duration, Instant};

use crate::Result;

/// The steps run so far.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Step>,
}

struct Step {
    name: &'static str,
    time: Duration,
    result: Result,
}

impl Steps {
    /// Runs a step and notes how it ended; a failure does not keep the next one from running.
    pub(crate) fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result) {
        eprintln!("\n==> {name}");
        let start = Instant::now();
        let result = work();
        let time = start.elapsed();
        match &result {
            Ok(()) => eprintln!("==> {name}: ok, {:.1} s", time.as_secs_f64()),
            Err(why) => eprintln!("==> {name}: FAILED, {:.1} s: {why}", time.as_secs_f64()),
        }
        self.done.push(Step { name, time, result });
    }

    /// Prints the summary; an error if any step failed.
    pub(crate) fn finish(self) -> Result {
        eprint!("\n{}", self.summary());
        let failed = self.done.iter().filter(|step| step.result.is_err()).count();
        if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} steps failed", self.done.len())) }
    }

    fn summary(&self) -> String {
        let width = self.done.iter().map(|step| step.name.len()).max().unwrap_or_default();
        let mut text = String::from("==> summary\n");
        for Step { name, time, result } in &self.done {
            let outcome = if result.is_ok() { "ok" } else { "FAILED" };
            text += &format!("    {name:width$}  {:>7.1} s  {outcome}\n", time.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|step| step.time).sum();
        text + &format!("    {:width$}  {:>7.1} s\n", "together", total.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::Steps;

    #[test]
    fn a_failure_is_reported_and_does_not_stop_the_next_step() {
        let mut ran = Vec::new();
        let mut steps = Steps::default();
        steps.step("bad", || Err("broken".into()));
        steps.step("good", || {
            ran.push("good");
            Ok(())
        });
        let summary = steps.summary();
        assert_eq!(steps.finish(), Err("1 of 2 steps failed".into()));
        assert_eq!(ran, ["good"]);
        let outcomes: Vec<_> =
            summary.lines().filter_map(|l| Some((l.split_whitespace().next()?, l.ends_with("FAILED")))).collect();
        assert_eq!(outcomes, [("==>", false), ("bad", true), ("good", false), ("together", false)]);
    }

    #[test]
    fn all_well_is_success() {
        let mut steps = Steps::default();
        steps.step("good", || Ok(()));
        assert_eq!(steps.finish(), Ok(()));
    }
}
