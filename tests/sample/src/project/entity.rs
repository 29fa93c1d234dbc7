//! What the invented service plans with. Each entity becomes several source files of the repository.

/// How a field is typed, checked and sampled.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Text,
    Code(&'static str),
    Metres,
    Count,
    Moment,
    Ratio,
    Flag,
    Choice(&'static [&'static str]),
}

/// A field: its name in TypeScript, its kind, a remark that stands beside it.
pub(crate) type Field = (&'static str, Kind, &'static str);

/// A check that the planner makes, as it first is and as it should be.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    /// What a finding says; `${}` as in a template string.
    pub(crate) message: &'static str,
    pub(crate) weak: &'static str,
    pub(crate) right: &'static str,
    /// The right condition in Rust.
    pub(crate) rust: &'static str,
}

/// One kind of thing in the harbour.
pub(crate) struct Entity {
    pub(crate) name: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) fields: &'static [Field],
    pub(crate) rules: &'static [Rule],
    /// A query of its own: name, parameter, filter over `row`, remark.
    pub(crate) query: (&'static str, &'static str, &'static str, &'static str),
    /// Whether its rows live in the database, or in memory with a journal.
    pub(crate) in_database: bool,
}

impl Entity {
    pub(crate) fn path(&self, file: &str) -> String {
        format!("services/api/src/{}/{file}.ts", self.name)
    }

    pub(crate) fn test_path(&self) -> String {
        format!("services/api/test/{}.test.ts", self.name)
    }

    pub(crate) fn rust_path(&self) -> String {
        format!("crates/planner/src/{}.rs", self.name)
    }

    pub(crate) fn rule(&self, name: &str) -> Option<&'static Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }
}

/// Every entity, seaside first.
pub(crate) fn all() -> impl Iterator<Item = &'static Entity> {
    super::seaside::ENTITIES.iter().chain(super::landside::ENTITIES)
}

/// The entity of that name.
pub(crate) fn named(name: &str) -> Option<&'static Entity> {
    all().find(|entity| entity.name == name)
}

/// `camelCase` as `snake_case`.
pub(crate) fn snake(name: &str) -> String {
    name.chars().fold(String::new(), |mut out, c| {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        out
    })
}
