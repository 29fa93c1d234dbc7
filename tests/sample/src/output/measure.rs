//! Profiles, benchmarks, query plans, and the comparison of service and planner.

use crate::rng::Rng;

/// Time by function, the largest first.
pub(crate) fn profile(rng: &mut Rng, rows: &[(&str, u64)]) -> String {
    let samples = rng.between(18_000, 44_000);
    let mut out = format!(
        "# {samples} samples, 997 Hz, planner --deadline 60000 fixtures/may.json\n#\n#  self    total  symbol\n"
    );
    for (index, (symbol, permille)) in rows.iter().enumerate() {
        let total = permille + (rows.len() - index) as u64 * rng.between(1, 7);
        out.push_str(&format!("{:6}.{} %{:5}.{} %  {symbol}\n", permille / 10, permille % 10, total / 10, total % 10));
    }
    out
}

/// A table of benchmark runs against the run before.
pub(crate) fn bench(rng: &mut Rng, rows: &[(&str, u64, u64)]) -> String {
    let mut out = String::from("benchmark                        median        spread      before    change\n");
    for (name, now, before) in rows {
        let change = (*now as i64 - *before as i64) * 100 / (*before).max(1) as i64;
        out.push_str(&format!(
            "{name:<28}{now:>8} ms   ± {:>4} ms{before:>9} ms    {change:>+4} %\n",
            1 + now * rng.between(1, 6) / 100
        ));
    }
    out
}

/// What service and planner find on the fixtures.
pub(crate) fn parity(rng: &mut Rng, rules: &[&str], differing: &[&str]) -> String {
    let mut out = String::from("parity over fixtures/may.json, fixtures/storm.json, fixtures/strike.json\n");
    for rule in rules {
        let count = rng.between(3, 190);
        if differing.contains(rule) {
            let here = count + rng.between(1, 12);
            out.push_str(&format!("  {rule:<18} service {here:>4}  planner {count:>4}  DIFFERS\n"));
            for _ in 0..rng.between(2, 4) {
                out.push_str(&format!(
                    "      only service: C{} at B{} ({})\n",
                    rng.between(2000, 2999),
                    rng.between(1, 9),
                    rng.pick(&["may", "storm", "strike"])
                ));
            }
        } else {
            out.push_str(&format!("  {rule:<18} service {count:>4}  planner {count:>4}  same\n"));
        }
    }
    out.push_str(&format!("{} rules compared, {} differ\n", rules.len(), differing.len()));
    out
}

/// The plan of a query, with times.
pub(crate) fn explain(rng: &mut Rng, table: &str, indexed: bool) -> String {
    let rows = rng.between(40_000, 900_000);
    let (node, cost, ms) = if indexed {
        (format!("Index Scan using {table}_eta_idx on {table}"), rng.between(80, 400), rng.between(1, 9))
    } else {
        (format!("Seq Scan on {table}"), rng.between(18_000, 52_000), rng.between(340, 1_900))
    };
    let removed = if indexed { String::new() } else { format!("\n        Rows Removed by Filter: {}", rows - 212) };
    format!(
        "                                   QUERY PLAN\n--------------------------------------------------------------------------------\n Sort  (cost={cost}.41..{cost}.94 rows=212 width=148) (actual time={ms}.2..{ms}.3 rows=212 loops=1)\n   Sort Key: eta\n   Sort Method: quicksort  Memory: {}kB\n   ->  {node}  (cost=0.42..{cost}.20 rows=212 width=148) (actual time=0.0..{ms}.1 rows=212 loops=1)\n        Filter: ((eta < '2026-03-24'::timestamptz) AND (etd > '2026-03-17'::timestamptz)){removed}\n Planning Time: 0.{} ms\n Execution Time: {ms}.4 ms\n(9 rows)\n",
        rng.between(30, 90),
        rng.between(110, 480)
    )
}
