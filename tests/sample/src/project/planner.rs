//! The other files of an entity: its Rust module, its table, its fixture, its page in the docs.

use super::entity::{Entity, Kind, Rule, snake};
use super::sample::{self, Language};
use super::template::{fill, lines};

/// Path and content of each.
pub(crate) fn files(entity: &Entity, number: usize) -> Vec<(String, String)> {
    let values = values(entity, number);
    let rows = (1..=30 + (number as u64 * 5) % 9).map(|n| format!("  {}", sample::json_row(entity, n)));
    vec![
        (entity.rust_path(), fill(include_str!("../../templates/entity.rs.txt"), &values)),
        (
            format!("migrations/{number:04}_{}.sql", entity.plural),
            fill(include_str!("../../templates/migration.sql.txt"), &values),
        ),
        (format!("docs/{}.md", entity.name), fill(include_str!("../../templates/docs.md.txt"), &values)),
        (format!("fixtures/{}.json", entity.plural), format!("[\n{}\n]\n", rows.collect::<Vec<_>>().join(",\n"))),
    ]
}

/// A rule as a method, as the planner first has it.
pub(crate) fn rust_rule(rule: &Rule, condition: &str) -> String {
    format!(
        "    /// {}\n    fn {}(&self, ctx: &Context<'_>) -> Option<Finding> {{\n        ({condition})\n            .then(|| Finding::new(\"{}\", &self.id))\n    }}\n",
        rule.doc,
        snake(rule.name),
        rule.name
    )
}

/// What stands in the planner until a rule is ported: it believes the findings that the service sends along.
pub(crate) fn believed(rule: &Rule) -> String {
    format!("ctx.sent.contains(\"{}\", &self.id)", rule.name)
}

fn values(entity: &Entity, number: usize) -> Vec<(&'static str, String)> {
    let first = entity.fields.first().map_or(String::new(), |f| sample::literal(f, 3, Language::Json));
    let place =
        if entity.in_database { "in the database, with a change log" } else { "in memory, with a journal on disk" };
    vec![
        ("Title", entity.title.into()),
        ("snake", entity.name.into()),
        ("plural", entity.plural.into()),
        ("name", entity.name.into()),
        ("about", entity.about.into()),
        (
            "rustMembers",
            lines(entity.fields, |f| format!("    /// {}.\n    pub {}: {},", f.2, snake(f.0), rust_type(f.0, f.1))),
        ),
        (
            "rustReads",
            lines(entity.fields.iter().enumerate(), |(i, f)| {
                format!("            {}: row.{}({i})?,", snake(f.0), reader(f.1))
            }),
        ),
        (
            "rustRuleCalls",
            entity.rules.iter().map(|r| format!("self.{}(ctx)", snake(r.name))).collect::<Vec<_>>().join(", "),
        ),
        ("rustRules", entity.rules.iter().map(|r| rust_rule(r, &believed(r))).collect::<Vec<_>>().join("\n")),
        (
            "rustRow",
            format!(
                "&[{}]",
                entity
                    .fields
                    .iter()
                    .map(|f| quoted(&sample::literal(f, 3, Language::Json)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        ("sampleId", first.trim_matches('"').into()),
        ("number", format!("{number:04}")),
        (
            "sqlColumns",
            entity
                .fields
                .iter()
                .map(|f| {
                    format!("  \"{}\" {}{}", f.0, sql_type(f.1), if f.0 == "id" { " primary key" } else { " not null" })
                })
                .collect::<Vec<_>>()
                .join(",\n"),
        ),
        (
            "sqlIndexes",
            entity
                .fields
                .iter()
                .filter(|f| matches!(f.1, Kind::Moment))
                .map(|f| format!("create index {0}_{1}_idx on {0} (\"{1}\");\n", entity.plural, f.0))
                .collect(),
        ),
        ("sqlAbout", entity.about.replace('\'', "''")),
        ("where", place.into()),
        ("docRows", lines(entity.fields, |f| format!("| `{}` | {} | {} |", f.0, kind_name(f.1), f.2))),
        ("docRules", lines(entity.rules, |r| format!("- `{}`: {}\n", r.name, r.doc))),
        ("query", entity.query.0.into()),
        ("queryParameter", entity.query.1.into()),
        ("queryDoc", entity.query.3.into()),
    ]
}

fn quoted(literal: &str) -> String {
    if literal.starts_with('"') { literal.to_owned() } else { format!("\"{literal}\"") }
}

fn rust_type(name: &str, kind: Kind) -> &'static str {
    match kind {
        Kind::Choice(_) if name == "status" => "Status",
        Kind::Text | Kind::Code(_) | Kind::Choice(_) => "String",
        Kind::Metres | Kind::Ratio => "f64",
        Kind::Count => "u32",
        Kind::Moment => "Moment",
        Kind::Flag => "bool",
    }
}

fn reader(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Code(_) | Kind::Choice(_) => "text",
        Kind::Metres | Kind::Ratio => "number",
        Kind::Count => "count",
        Kind::Moment => "moment",
        Kind::Flag => "flag",
    }
}

fn sql_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Code(_) | Kind::Choice(_) => "text",
        Kind::Metres => "numeric(6, 2)",
        Kind::Ratio => "real",
        Kind::Count => "integer",
        Kind::Moment => "timestamptz",
        Kind::Flag => "boolean",
    }
}

fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::Text => "text".into(),
        Kind::Code(prefix) => format!("code, `{prefix}`"),
        Kind::Metres => "metres".into(),
        Kind::Count => "whole number".into(),
        Kind::Ratio => "0 to 1".into(),
        Kind::Moment => "time, UTC".into(),
        Kind::Flag => "yes or no".into(),
        Kind::Choice(options) => options.join(", "),
    }
}
