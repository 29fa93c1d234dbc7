//! Work that comes back during the day with other names: a rule is put right, a module is looked over.

use crate::day::Day;
use crate::output::Out;
use crate::output::test_run::Failure;
use crate::project::entity::{self, Entity, Rule, snake};
use crate::project::{planner, typescript};
use crate::tools::{Do, block, edit, grep, read, run};

/// Puts one rule right, in the service and in the planner, with a test first.
pub(crate) fn put_right(day: &mut Day, entity_name: &str, rule_name: &str, case: &str, answer: &str) {
    let Some(entity) = entity::named(entity_name) else {
        return;
    };
    let Some(rule) = entity.rule(rule_name) else {
        return;
    };
    look(day, entity, rule);
    fail_first(day, entity, rule, case);
    repair(day, entity, rule, case);
    port(day, entity, rule);
    day.close("", answer);
}

fn look(day: &mut Day, entity: &Entity, rule: &Rule) {
    let callers = day.repository.grep(rule.name, "", 100).len();
    let thinking = match day.rng.between(0, 3) {
        0 => format!(
            "The complaint points at `{}` of the {}. The condition is one line, so either the line is wrong or what it is given is. I read the rule and the model together, and see who else uses it ({callers} places mention it).",
            rule.name, entity.name
        ),
        1 => format!(
            "{} That is what `{}` is for. Before I believe it is the rule, I want to see the fields it can see, and whether the context carries what it would need.",
            rule.doc, rule.name
        ),
        2 => format!(
            "I know the shape of rules by now: a condition and a finding. `{}` must let this case through. Rules, model, and every mention of the name.",
            rule.name
        ),
        _ => format!(
            "Start at the rule. If `{}` says something else than its comment, the comment is probably the older truth.",
            rule.name
        ),
    };
    let say = day.rng.pick(&[
        "I look at the rule and at who uses it.",
        "",
        "First the rule as it is.",
        "Let me see what is checked today.",
    ]);
    day.step(
        &thinking,
        say,
        [read(entity.path("rules")), grep(rule.name, ""), read(entity.path("model")), read(entity.path("store"))],
    );
}

fn fail_first(day: &mut Day, entity: &Entity, rule: &Rule, case: &str) {
    let thinking = format!(
        "The condition is `{}`. For this case it should be `{}`: {} The test file has a quiet day and nothing else for this rule, so nobody noticed. A failing test first, as AGENTS.md wants it.",
        rule.weak,
        rule.right,
        rule.doc.to_lowercase()
    );
    let say = format!(
        "Found it: `{}` only asks `{}`. I write down the case as a test before I change anything.",
        rule.name, rule.weak
    );
    // The fixture is read with the first rule of an entity; with the second it is known.
    let first = entity.rules.first().is_some_and(|r| r.name == rule.name);
    let last = if first { format!("fixtures/{}.json", entity.plural) } else { entity.path("routes") };
    day.step(&thinking, &say, [read(entity.test_path()), read(entity.rust_path()), read(last)]);
    let quiet = typescript::rule_test(entity, rule, "a quiet day", false);
    let both = format!("{quiet}\n{}", typescript::rule_test(entity, rule, case, true));
    let failure =
        Failure::new(&entity.test_path(), &format!("{}: {case}", rule.name), &format!("'{}'", rule.name), "undefined");
    let out = Out::Service(vec![entity.test_path()], vec![failure]);
    day.step(
        "It must fail for the reason I think it does: undefined instead of a finding.",
        "",
        [
            edit(entity.test_path(), quiet.trim_end(), both.trim_end()),
            run(format!("pnpm test {}", entity.test_path()), out),
        ],
    );
}

fn repair(day: &mut Day, entity: &Entity, rule: &Rule, case: &str) {
    let path = entity.path("rules");
    let function = typescript::rule_function(entity, rule, rule.right);
    let body = function.split_once('\n').map_or(function.as_str(), |(_, body)| body);
    let anchor = format!("export function {}(", rule.name);
    let thinking = match day.rng.between(0, 2) {
        0 => format!("It fails as expected. The smallest change is the condition alone; the text of the finding stays, since the board shows it and {} is a known case there.", case),
        1 => "Red for the right reason. I change the condition and leave message and weight, so that nothing downstream moves.".to_owned(),
        _ => format!("Good, red. Now `{}`.", rule.right),
    };
    day.step(
        &thinking,
        "",
        [
            block(path, &anchor, body),
            run(format!("pnpm test {}", entity.test_path()), Out::Service(vec![entity.test_path()], vec![])),
        ],
    );
}

fn port(day: &mut Day, entity: &Entity, rule: &Rule) {
    let path = entity.rust_path();
    let method = format!("    fn {}(", snake(rule.name));
    let ported = planner::rust_rule(rule, rule.rust);
    let body = ported.split_once('\n').map_or(ported.as_str(), |(_, body)| body);
    let thinking = format!(
        "The planner still believes what the service sends for `{}`. With the new condition it would plan first and be told afterwards, which costs it the good plans. I port it: `{}`.",
        rule.name, rule.rust
    );
    day.step(
        &thinking,
        "The planner has to know it too, or it finds plans that the service then refuses.",
        [block(path, method.trim(), body)],
    );
    let modules = vec![entity.name.to_owned(), "search".into(), "cost".into(), "context".into()];
    let rules: Vec<&'static str> = entity::all().flat_map(|e| e.rules).map(|r| r.name).collect();
    day.step(
        "",
        "",
        [run("cargo test -p planner", Out::Planner(modules, vec![])), run("pnpm parity", Out::Parity(rules, vec![]))],
    );
}

/// Reads a module from end to end, in two rounds.
pub(crate) fn look_over(day: &mut Day, entity_name: &str, why: &str) {
    let Some(entity) = entity::named(entity_name) else {
        return;
    };
    day.step(why, "", [read(entity.path("model")), read(entity.path("store"))]);
    let query = entity.query.0;
    let thinking = format!(
        "`{query}` filters in the process: {} Fine for {}, as long as nobody calls it in a loop. The routes next, then who calls the query.",
        entity.query.3, entity.plural
    );
    day.step(&thinking, "", [read(entity.path("routes")), grep(query, "services")]);
}

/// Moves the filter of a module's query into the database, with an index.
pub(crate) fn index_query(day: &mut Day, entity_name: &str, column: &str, number: usize) {
    let Some(entity) = entity::named(entity_name) else {
        return;
    };
    let (plural, query) = (entity.plural, entity.query.0);
    let migration = format!("migrations/{number:04}_{plural}_{column}.sql");
    day.step(
        &format!("`{query}` fetches up to the limit and throws most rows away. An index on `{column}` exists only if the first migration made one; I check the plan instead of guessing."),
        "",
        [
            grep("create index", "migrations"),
            run(format!("psql harbor -c 'explain analyze select * from {plural} where ...'"), Out::Explain(plural, false)),
        ],
    );
    let sql = format!(
        "-- {number:04} an index for {query}: the board asks this for every row it draws\nbegin;\n\ncreate index concurrently if not exists {plural}_{column}_idx on {plural} (\"{column}\");\nanalyze {plural};\n\ncommit;\n"
    );
    day.step("A sequential scan, as I feared. `concurrently` cannot stand inside a transaction, I must not forget to take the begin and commit away.", "", [Do::Write(migration.clone(), sql)]);
    day.step(
        "I did forget. Without the transaction, then.",
        "",
        [
            edit(migration.clone(), "begin;\n\ncreate", "create"),
            edit(migration, "\n\ncommit;\n", "\n"),
            run("pnpm migrate && psql harbor -c 'explain analyze select ...'", Out::Explain(plural, true)),
        ],
    );
}
