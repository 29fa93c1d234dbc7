//! The TypeScript files of an entity.

use super::entity::{Entity, Field, Kind, Rule};
use super::sample::{self, Language};
use super::template::{fill, lines};
use crate::rng::Rng;

/// Path and content of every TypeScript file of the entity.
pub(crate) fn files(entity: &Entity, rng: &mut Rng) -> Vec<(String, String)> {
    let values = values(entity, rng);
    let store = if entity.in_database {
        include_str!("../../templates/store_sql.ts.txt")
    } else {
        include_str!("../../templates/store_memory.ts.txt")
    };
    vec![
        (entity.path("model"), fill(include_str!("../../templates/model.ts.txt"), &values)),
        (entity.path("store"), fill(store, &values)),
        (entity.path("rules"), fill(include_str!("../../templates/rules.ts.txt"), &values)),
        (entity.path("routes"), fill(include_str!("../../templates/routes.ts.txt"), &values)),
        (entity.test_path(), fill(include_str!("../../templates/test.ts.txt"), &values)),
    ]
}

/// A rule as a function, with the given condition.
pub(crate) fn rule_function(entity: &Entity, rule: &Rule, condition: &str) -> String {
    let (name, title) = (entity.name, entity.title);
    format!(
        "/** {} */\nexport function {}({name}: {title}, context: {title}Context): Finding | undefined {{\n  \
         if ({condition}) {{\n    return finding(\"{}\", `{}`, {name});\n  }}\n  return undefined;\n}}\n",
        rule.doc, rule.name, rule.name, rule.message
    )
}

/// The test that tells the weak condition from the right one.
pub(crate) fn rule_test(entity: &Entity, rule: &Rule, case: &str, expected: bool) -> String {
    let call = format!("{}(parse{}(sample), contextFor(\"{case}\"))", rule.name, entity.title);
    let check = if expected {
        format!("    assert.equal({call}?.code, \"{}\");\n", rule.name)
    } else {
        format!("    assert.equal({call}, undefined);\n")
    };
    format!("  it(\"{}: {case}\", () => {{\n{check}  }});\n", rule.name)
}

fn values(entity: &Entity, rng: &mut Rng) -> Vec<(&'static str, String)> {
    let names = || entity.rules.iter().map(|rule| rule.name).collect::<Vec<_>>().join(", ");
    let (query, parameter, filter, doc) = entity.query;
    let save = if entity.in_database {
        let sweep = rng.pick(&["changed.length > 0", "changed.some((field) => field !== \"id\")"]);
        format!(
            "const changed = await store.save({0}, user.name);\n    if ({sweep}) router.emit(\"change\", \"{0}\", {{ id: {0}.id, changed, at: now }});",
            entity.name
        )
    } else {
        format!(
            "await store.put({0}, now);\n    router.emit(\"change\", \"{0}\", {{ id: {0}.id, by: user.name }});",
            entity.name
        )
    };
    vec![
        ("Title", entity.title.into()),
        ("name", entity.name.into()),
        ("plural", entity.plural.into()),
        ("about", entity.about.into()),
        ("checks", checks(entity)),
        ("choices", choices(entity)),
        ("members", lines(entity.fields, |f| format!("  /** {} */\n  {}: {};", capital(f.2), f.0, type_name(f)))),
        ("parsers", lines(entity.fields, |f| format!("    {0}: {1},", f.0, parser(f)))),
        ("wire", lines(entity.fields, |f| format!("    {}: {},", f.0, wire(entity, f)))),
        ("compare", lines(entity.fields, compare)),
        ("columns", entity.fields.iter().map(|f| format!("\"{}\"", f.0)).collect::<Vec<_>>().join(", ")),
        ("marks", (1..=entity.fields.len()).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ")),
        (
            "updates",
            entity.fields.iter().skip(1).map(|f| format!("{0} = excluded.{0}", f.0)).collect::<Vec<_>>().join(", "),
        ),
        ("limit", rng.pick(&["200", "500", "1000"]).into()),
        ("order", entity.fields.iter().find(|f| matches!(f.1, Kind::Moment)).map_or("id", |f| f.0).into()),
        ("query", query.into()),
        ("queryParameter", parameter.into()),
        ("queryFilter", filter.into()),
        ("queryDoc", doc.into()),
        ("save", save),
        ("rules", lines(entity.rules, |rule| rule_function(entity, rule, rule.weak))),
        ("ruleNames", names()),
        ("sample", lines(entity.fields, |f| format!("  {}: {},", f.0, sample::literal(f, 3, Language::TypeScript)))),
        ("refusals", refusals(entity)),
        ("ruleTests", lines(entity.rules, |rule| rule_test(entity, rule, "a quiet day", false))),
    ]
}

fn refusals(entity: &Entity) -> String {
    let cases = entity.fields.iter().filter_map(|field| {
        let (bad, problem) = match field.1 {
            Kind::Metres => ("\"twelve\"", "is not a number"),
            Kind::Count => ("-1", "is below 0"),
            Kind::Moment => ("\"tomorrow\"", "is not an ISO time"),
            Kind::Ratio => ("1.2", "is not between 0 and 1"),
            Kind::Flag => ("\"yes\"", "is not true or false"),
            Kind::Choice(_) => ("\"other\"", "is not one of the known values"),
            Kind::Text | Kind::Code(_) => return None,
        };
        Some((field.0, bad, problem))
    });
    lines(cases, |(name, bad, problem)| {
        format!(
            "  it(\"names {name} when it is wrong\", () => {{\n    assert.throws(() => parse{}({{ ...sample, {name}: {bad} }}), /{}\\.{name} {problem}/);\n  }});",
            entity.title, entity.name
        )
    })
}

fn checks(entity: &Entity) -> String {
    let mut names: Vec<&str> = entity.fields.iter().map(|f| check_name(f.1)).chain(["asFields"]).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

fn choices(entity: &Entity) -> String {
    entity
        .fields
        .iter()
        .filter_map(|f| match f.1 {
            Kind::Choice(options) => Some(format!(
                "export const {}_VALUES = [{}] as const;\n\n",
                f.0.to_uppercase(),
                options.iter().map(|o| format!("\"{o}\"")).collect::<Vec<_>>().join(", ")
            )),
            _ => None,
        })
        .collect()
}

fn check_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "asText",
        Kind::Code(_) => "asCode",
        Kind::Metres => "asMetres",
        Kind::Count => "asCount",
        Kind::Moment => "asMoment",
        Kind::Ratio => "asRatio",
        Kind::Flag => "asFlag",
        Kind::Choice(_) => "asChoice",
    }
}

fn type_name(field: &Field) -> String {
    match field.1 {
        Kind::Text | Kind::Code(_) => "string".into(),
        Kind::Metres | Kind::Count | Kind::Ratio => "number".into(),
        Kind::Moment => "Date".into(),
        Kind::Flag => "boolean".into(),
        Kind::Choice(_) => format!("(typeof {}_VALUES)[number]", field.0.to_uppercase()),
    }
}

fn parser(field: &Field) -> String {
    let (name, check) = (field.0, check_name(field.1));
    match field.1 {
        Kind::Code(prefix) => {
            format!("{check}(fields.{name}, \"{prefix}\", [...path, \"{name}\"])")
        }
        Kind::Choice(_) => format!("{check}(fields.{name}, {}_VALUES, [...path, \"{name}\"])", name.to_uppercase()),
        _ => format!("{check}(fields.{name}, [...path, \"{name}\"])"),
    }
}

fn wire(entity: &Entity, field: &Field) -> String {
    let value = format!("{}.{}", entity.name, field.0);
    match field.1 {
        Kind::Moment => format!("{value}.toISOString()"),
        Kind::Metres => format!("Math.round({value} * 100) / 100"),
        _ => value,
    }
}

fn compare(field: &Field) -> String {
    let name = field.0;
    match field.1 {
        Kind::Moment => format!("  if (before.{name}.getTime() !== after.{name}.getTime()) changed.push(\"{name}\");"),
        Kind::Metres => format!("  if (Math.abs(before.{name} - after.{name}) >= 0.005) changed.push(\"{name}\");"),
        _ => format!("  if (before.{name} !== after.{name}) changed.push(\"{name}\");"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
