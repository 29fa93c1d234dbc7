//! What a life is made of, as proptest makes it: deeds, options, and how wild the world is.

use crate::outside::Wildness;
use proptest::prelude::*;
use threadfold::agent::AgentOptions;
use threadfold::entry::ModelChoice;
use threadfold::settings::{Fallback, PruneMode, Settings};
use threadfold::step::Reach;
use threadfold::summary::{Candidate, Summarizer};

/// How a turn of the model ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Good { words: usize, calls: usize, usage: Usage },
    CutOff { words: usize, usage: Usage },
    TooLong { other_model: bool },
    Overloaded,
    Stopped,
}

/// What a provider says it counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Usage {
    Nothing,
    Zero,
    Honest,
    /// So many times what it was.
    Wrong(u64),
}

#[derive(Debug, Clone)]
pub(crate) enum Deed {
    User(usize),
    Turn(Kind),
    /// The results of all calls that await one.
    Results(usize),
    /// Anything that a session may hold.
    Append,
    TurnEnd,
    BeforePrompt {
        pending_tokens: u64,
        from_user: bool,
    },
    Compact {
        instructions: bool,
    },
    Navigate {
        pick: prop::sample::Index,
        summarize: Option<bool>,
        instructions: bool,
    },
    Options(prop::sample::Index),
}

fn usages() -> impl Strategy<Value = Usage> {
    prop_oneof![
        3 => Just(Usage::Nothing), 1 => Just(Usage::Zero), 4 => Just(Usage::Honest), 2 => (2_u64..30).prop_map(Usage::Wrong)]
}

fn kinds() -> impl Strategy<Value = Kind> {
    let sizes = || prop_oneof![4 => 1_usize..60, 1 => 60_usize..600];
    prop_oneof![
        6 => (sizes(), 0_usize..3, usages()).prop_map(|(words, calls, usage)| Kind::Good { words, calls, usage }),
        1 => (sizes(), usages()).prop_map(|(words, usage)| Kind::CutOff { words, usage }),
        3 => prop::bool::weighted(0.2).prop_map(|other_model| Kind::TooLong { other_model }),
        1 => Just(Kind::Overloaded),
        1 => Just(Kind::Stopped),
    ]
}

pub(crate) fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let sizes = || prop_oneof![4 => 1_usize..60, 1 => 60_usize..600];
    let deed = prop_oneof![
        4 => sizes().prop_map(Deed::User),
        8 => kinds().prop_map(Deed::Turn),
        4 => sizes().prop_map(Deed::Results),
        1 => Just(Deed::Append),
        1 => Just(Deed::TurnEnd),
        3 => (0_u64..300, any::<bool>())
            .prop_map(|(pending_tokens, from_user)| Deed::BeforePrompt { pending_tokens, from_user }),
        2 => any::<bool>().prop_map(|instructions| Deed::Compact { instructions }),
        3 => (any::<prop::sample::Index>(), any::<Option<bool>>(), any::<bool>())
            .prop_map(|(pick, summarize, instructions)| Deed::Navigate { pick, summarize, instructions }),
        1 => any::<prop::sample::Index>().prop_map(Deed::Options),
    ];
    prop::collection::vec(deed, 1..14)
}

pub(crate) fn options() -> impl Strategy<Value = AgentOptions> {
    let window = prop_oneof![
        1 => Just(None), 1 => (1_u64..40).prop_map(Some), 4 => (60_u64..600).prop_map(Some), 2 => (600_u64..4_000).prop_map(Some)];
    let budgets = (
        prop::option::weighted(0.5, 0_u64..200),
        prop::option::weighted(0.5, 0_u64..120),
        prop::option::weighted(0.5, 0_u64..100),
        prop::option::weighted(0.3, 0_u64..150),
    );
    let prunes = (any::<bool>(), prop_oneof![Just(0_u64), 0_u64..80], 0_u64..60, prop::bool::weighted(0.3));
    let flags = (prop::bool::weighted(0.9), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let candidates = prop_oneof![
        2 => Just(vec![Candidate::CALLBACK]),
        1 => Just(Vec::new()),
        1 => (60_u64..400).prop_map(|window| {
            vec![Candidate { context_window: Some(window), ..Candidate::CALLBACK }, Candidate { model: 1, ..Candidate::CALLBACK }]
        }),
        1 => any::<bool>().prop_map(|alone| {
            let remote = Candidate { summarizer: Summarizer::Remote, ..Candidate::CALLBACK };
            if alone { vec![remote] } else { vec![remote, Candidate::CALLBACK] }
        }),
    ];
    let reach = (prop::bool::weighted(0.5), prop::bool::weighted(0.7), prop::bool::weighted(0.6));
    let retries = 0_u64..3;
    (window, budgets, prunes, flags, candidates, reach, retries).prop_map(
        |(context_window, budgets, prunes, flags, candidates, (hooks, store, host), retries)| {
            let mut settings = Settings::default();
            let (reserve, keep, branch, fixed_tokens) = budgets;
            (settings.compaction.reserve_tokens, settings.compaction.keep_recent_tokens) = (reserve, keep);
            settings.branch_summary.reserve_tokens = branch;
            let (rewrites, protect, minimum, protects_read) = prunes;
            settings.prune.mode = if rewrites { PruneMode::Rewrite } else { PruneMode::Overlay };
            (settings.prune.protect_tokens, settings.prune.minimum_savings) = (protect, minimum);
            settings.prune.protected_tools = Vec::from_iter(protects_read.then(|| "read".to_owned()));
            let (enabled, auto_continue, short, by_default, local) = flags;
            settings.compaction.enabled = enabled;
            settings.compaction.auto_continue = auto_continue;
            settings.compaction.short_summary = short;
            settings.branch_summary.enabled = by_default;
            settings.fallback = if local { Fallback::Local } else { Fallback::None };
            settings.retry.max_retries = retries;
            let remote = candidates.iter().any(|candidate| candidate.summarizer == Summarizer::Remote);
            settings.compaction.remote_endpoint = remote.then(|| "https://summaries.example".to_owned());
            let model = Some(ModelChoice { provider: "p".into(), model_id: "m".into() });
            let reach = Reach { hooks, store, host };
            AgentOptions { settings, context_window, fixed_tokens, model, candidates, reach }
        },
    )
}

pub(crate) fn wildness() -> impl Strategy<Value = Wildness> {
    let rate = |often: usize| prop_oneof![1 => Just(0_usize), 1 => Just(often)];
    (rate(10), rate(6), rate(3), rate(3)).prop_map(|(aborts, meanwhile, store_fails, summariser_fails)| Wildness {
        aborts,
        meanwhile,
        store_fails,
        summariser_fails,
    })
}
