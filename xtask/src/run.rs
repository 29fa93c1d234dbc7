//! Running other programs: output kept until it is needed, time bounded where a program may hang.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

/// How often a silent program is looked at.
const POLL: Duration = Duration::from_millis(40);
/// A step that takes longer shows that it lives.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// No single program of a chore has business running longer.
const LIMIT: Duration = Duration::from_secs(25 * 60);

/// What a program did.
pub struct Finished {
    /// Its output, both streams as they came.
    pub output: String,
    /// Whether it ended with exit code 0.
    pub success: bool,
}

/// Runs a program and keeps its output; a failure shows it.
pub fn quiet(command: &mut Command, log: &Path) -> Result<String> {
    let finished = finish(command, log, LIMIT)?;
    if !finished.success {
        bail!("`{}` failed:\n{}", spelled(command), tail(&finished.output));
    }
    Ok(finished.output)
}

/// Runs a program to its end or to the limit, whichever is first, and keeps its output in `log`.
pub fn finish(command: &mut Command, log: &Path, limit: Duration) -> Result<Finished> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder).with_context(|| format!("could not make the folder {}", folder.display()))?;
    }
    let file = File::create(log).with_context(|| format!("could not write {}", log.display()))?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    let status = wait(&mut child, limit)?;
    let output = String::from_utf8_lossy(&fs::read(log)?).into_owned();
    match status {
        Some(status) => Ok(Finished { output, success: status.success() }),
        None => bail!("`{}` was stopped after {} s:\n{}", spelled(command), limit.as_secs(), tail(&output)),
    }
}

/// Runs a program whose output belongs to the user.
pub fn shown(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if !status.success() {
        bail!("`{}` failed ({status})", spelled(command));
    }
    Ok(())
}

/// Runs a short program for what it prints.
pub fn stdout(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        bail!("`{}` failed:\n{}", spelled(command), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command as one would type it.
fn spelled(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

fn not_started(command: &Command, error: &std::io::Error) -> anyhow::Error {
    let program = command.get_program().to_string_lossy();
    let advice = match program.as_ref() {
        "node" | "npm" | "npm.cmd" => "; install Node 20 or later, with npm",
        _ => "",
    };
    anyhow!("`{program}` could not be started ({error}){advice}")
}

/// Waits, showing now and then that the program lives. `None` where it had to be stopped.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut next_beat = HEARTBEAT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let elapsed = start.elapsed();
        if elapsed >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        if elapsed >= next_beat {
            print!("{} s ... ", elapsed.as_secs());
            std::io::stdout().flush()?;
            next_beat += HEARTBEAT;
        }
        std::thread::sleep(POLL);
    }
}

/// The end of a long output: the cause of a failure is nearly always there.
pub fn tail(output: &str) -> String {
    const LINES: usize = 150;
    let lines: Vec<&str> = output.lines().collect();
    let left_out = lines.len().saturating_sub(LINES);
    let shown = lines.iter().skip(left_out).copied().collect::<Vec<_>>().join("\n");
    if left_out == 0 { shown } else { format!("({left_out} lines left out)\n{shown}") }
}
