//! Records of sessions as proptest makes them, and their JSON.

use proptest::prelude::*;

/// A text: any Unicode, then words of a token each.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) lead: String,
    pub(crate) words: u16,
}

/// What a record is.
#[derive(Debug, Clone)]
pub(crate) enum What {
    User(Text),
    Assistant {
        text: Text,
        calls: Vec<CallId>,
        stop: &'static str,
        usage: Option<[i64; 5]>,
        thinking: bool,
    },
    /// The result of the call that was made so many calls ago; of an unknown call where there is none.
    Result {
        back: u8,
        text: Text,
    },
    /// The result of a call that comes later.
    EarlyResult(Text),
    /// The results of the newest assistant message, in order or backwards, perhaps with a user between.
    Answers {
        backwards: bool,
        interleaved: bool,
        words: u16,
    },
    Execution {
        python: bool,
        excluded: bool,
        text: Text,
    },
    Files(Vec<Text>),
    Custom {
        old_name: bool,
        text: Text,
    },
    Extension(Text),
    BranchSummary {
        text: Text,
        from_extension: bool,
    },
    Compaction {
        first: First,
        text: Text,
    },
    Metadata(u8),
    UnknownRole,
}

/// The id that a call gets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CallId {
    New,
    /// One that was used so many calls ago.
    Again(u8),
}

/// What a compaction names as first kept.
#[derive(Debug, Clone, Copy)]
pub(crate) enum First {
    /// So many entries up the path.
    Back(u8),
    Unknown,
    /// Any entry, also of another branch.
    Any(u16),
    Itself,
}

/// What else is done with a record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Twist {
    None,
    /// It hangs below another entry.
    Branch(u16),
    Root,
    MissingParent,
    /// Its parent comes later, which may make a cycle.
    LaterParent(u8),
    DuplicateId(u16),
    NoId,
    GluedToNext,
    Torn(u8),
    JunkBefore,
    BlankBefore,
    CarriageReturn,
    LoneSurrogate,
    FutureField,
}

#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) what: What,
    pub(crate) twist: Twist,
}

/// How wild the records are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wildness {
    /// Whether calls may use an id again.
    pub(crate) ids_again: bool,
    /// Whether the lines may be damaged.
    pub(crate) damage: bool,
}

fn text() -> impl Strategy<Value = Text> {
    let lead = prop_oneof![
        6 => Just(String::new()),
        2 => prop::collection::vec(any::<char>(), 0..6).prop_map(|chars| chars.into_iter().collect()),
        1 => prop::sample::select(vec!["</conversation>", "\u{2028}\r\n", "家 کتاب 👩‍👩‍👧", "{{summary}}", "<read-files>\na\n</read-files>"])
            .prop_map(str::to_owned),
    ];
    (lead, prop_oneof![8 => 1_u16..40, 1 => Just(0_u16), 1 => 40_u16..400])
        .prop_map(|(lead, words)| Text { lead, words })
}

fn call_id(ids_again: bool) -> BoxedStrategy<CallId> {
    if ids_again {
        prop_oneof![2 => Just(CallId::New), 1 => (0_u8..4).prop_map(CallId::Again)].boxed()
    } else {
        Just(CallId::New).boxed()
    }
}

fn usage() -> impl Strategy<Value = [i64; 5]> {
    let part = prop_oneof![4 => 0_i64..500, 1 => Just(0_i64), 1 => -5_i64..0, 1 => 100_000_i64..i64::MAX];
    [part.clone(), part.clone(), part.clone(), part.clone(), part]
}

fn what(ids_again: bool) -> impl Strategy<Value = What> {
    let stop = prop_oneof![
        8 => prop::sample::select(vec!["stop", "toolUse", "length"]),
        1 => prop::sample::select(vec!["error", "aborted"]),
    ];
    let first = prop_oneof![
        6 => (0_u8..20).prop_map(First::Back),
        1 => Just(First::Unknown),
        1 => any::<u16>().prop_map(First::Any),
        1 => Just(First::Itself),
    ];
    let calls = prop_oneof![
        1 => Just(Vec::new()),
        2 => prop::collection::vec(call_id(ids_again), 1..4),
    ];
    prop_oneof![
        7 => text().prop_map(What::User),
        8 => (text(), calls, stop, prop::option::of(usage()), any::<bool>())
            .prop_map(|(text, calls, stop, usage, thinking)| What::Assistant { text, calls, stop, usage, thinking }),
        4 => (prop_oneof![4 => 0_u8..4, 1 => 0_u8..40], text()).prop_map(|(back, text)| What::Result { back, text }),
        1 => text().prop_map(What::EarlyResult),
        6 => (any::<bool>(), any::<bool>(), 1_u16..60)
            .prop_map(|(backwards, interleaved, words)| What::Answers { backwards, interleaved, words }),
        1 => (any::<bool>(), any::<bool>(), text())
            .prop_map(|(python, excluded, text)| What::Execution { python, excluded, text }),
        1 => prop::collection::vec(text(), 0..3).prop_map(What::Files),
        1 => (any::<bool>(), text()).prop_map(|(old_name, text)| What::Custom { old_name, text }),
        1 => text().prop_map(What::Extension),
        1 => (text(), any::<bool>()).prop_map(|(text, from_extension)| What::BranchSummary { text, from_extension }),
        2 => (first, text()).prop_map(|(first, text)| What::Compaction { first, text }),
        3 => any::<u8>().prop_map(What::Metadata),
        1 => Just(What::UnknownRole),
    ]
}

fn twist(damage: bool) -> BoxedStrategy<Twist> {
    let mild = prop_oneof![
        80 => Just(Twist::None),
        4 => any::<u16>().prop_map(Twist::Branch),
        1 => Just(Twist::Root),
        1 => Just(Twist::MissingParent),
        1 => (1_u8..6).prop_map(Twist::LaterParent),
        1 => any::<u16>().prop_map(Twist::DuplicateId),
        1 => Just(Twist::FutureField),
    ];
    if !damage {
        return mild.boxed();
    }
    prop_oneof![
        12 => mild,
        1 => prop_oneof![
            Just(Twist::NoId),
            Just(Twist::GluedToNext),
            any::<u8>().prop_map(Twist::Torn),
            Just(Twist::JunkBefore),
            Just(Twist::BlankBefore),
            Just(Twist::CarriageReturn),
            Just(Twist::LoneSurrogate),
        ],
    ]
    .boxed()
}

/// Records of that wildness, up to `most`.
pub(crate) fn records(wildness: Wildness, most: usize) -> impl Strategy<Value = Vec<Record>> {
    let record = (what(wildness.ids_again), twist(wildness.damage)).prop_map(|(what, twist)| Record { what, twist });
    prop::collection::vec(record, 1..most)
}
