//! The log of the running service.

use crate::clock;
use crate::project::sample;
use crate::rng::Rng;

const ROUTES: &[(&str, u64)] = &[
    ("GET /v1/board?days=3", 200),
    ("GET /internal/berths/B4", 200),
    ("PUT /internal/calls/C2291", 200),
    ("POST /internal/cranes/Q3/check", 200),
    ("GET /v1/calls/C2207", 200),
    ("POST /v1/calls", 201),
    ("PUT /internal/slots/G41", 422),
    ("GET /internal/tugs/TG4", 200),
    ("POST /internal/lines/L88120/check", 200),
    ("GET /v1/calls/C9999", 404),
    ("GET /internal/pilots/P11", 200),
    ("PUT /internal/blocks/Y7", 200),
];

/// Lines of the log; the fault, told as several lines `time|level|text`, comes in where it would.
pub(crate) fn service(rng: &mut Rng, fault: &str, lines: u64) -> String {
    let mut at = 6 * 3_600_000 + rng.between(0, 3_000_000);
    let mut heap = rng.between(180, 260);
    let fault_lines: Vec<&str> = fault.lines().collect();
    let fault_at = lines * 2 / 3;
    let mut out = Vec::new();
    for n in 0..lines {
        at += rng.between(40, 9_000);
        if n == fault_at {
            for line in &fault_lines {
                at += rng.between(1, 40);
                out.push(format!("{} {line}", clock::iso(at)));
            }
            continue;
        }
        out.push(format!("{} {}", clock::iso(at), ordinary(rng, &mut heap)));
    }
    out.join("\n")
}

fn ordinary(rng: &mut Rng, heap: &mut u64) -> String {
    match rng.between(0, 9) {
        0 => {
            *heap += rng.between(0, 30);
            format!(
                "info  heap {heap} MB, event loop lag {} ms, {} open streams",
                rng.between(1, 60),
                rng.between(12, 420)
            )
        }
        1 => format!(
            "info  plan seed={} calls={} cost={}.{:02} elapsed={}ms",
            rng.between(1, 99),
            rng.between(40, 212),
            rng.between(9_000, 84_000),
            rng.between(0, 99),
            rng.between(300, 4_000)
        ),
        2 => format!(
            "info  position of {} from ais {}.{:04} N {}.{:04} E",
            sample::ship(rng.next()),
            rng.between(54, 57),
            rng.between(0, 9999),
            rng.between(9, 13),
            rng.between(0, 9999)
        ),
        3 => format!(
            "warn  notice M{} to {} try {} of 5, next in {} s",
            rng.between(10_000, 19_000),
            rng.pick(&["haulier-214", "OXQR2", "agent@nordline", "webhook:terminal-b"]),
            rng.between(1, 4),
            1 << rng.between(3, 9)
        ),
        _ => {
            let (route, status) = ROUTES.get(rng.next() as usize % ROUTES.len()).copied().unwrap_or(("GET /", 200));
            let level = if status >= 500 {
                "error"
            } else if status >= 400 {
                "warn "
            } else {
                "info "
            };
            format!(
                "{level} req={} {route} -> {status} in {}ms user={}",
                rng.token(8),
                rng.between(2, 480),
                rng.pick(&["board", "ingrid", "agent-31", "planner", "gate-kiosk"])
            )
        }
    }
}
