//! From what a host gave to checked settings.

use super::{Fallback, Given, PruneMode, Settings, check_endpoint};
use crate::error::{Error, ErrorCode, Quoted};

impl Settings {
    /// Settings from what a host gave: every part is optional, `base` stands where nothing is said.
    ///
    /// # Errors
    ///
    /// `invalid-settings` with the path of the setting, the value and what is allowed.
    pub fn read(given: &Given, base: &Settings) -> Result<Settings, Error> {
        let mut settings = base.clone();
        let Settings { compaction, branch_summary, prune, retry, request_timeout_ms, remote, file_tools, fallback } =
            &mut settings;
        object(given, "settings", &mut |key, value, path| match key {
            "compaction" => object(value, path, &mut |key, value, path| match key {
                "enabled" => boolean(value, path, &mut compaction.enabled),
                "reserveTokens" => optional_count(value, path, &mut compaction.reserve_tokens),
                "keepRecentTokens" => optional_count(value, path, &mut compaction.keep_recent_tokens),
                "autoContinue" => boolean(value, path, &mut compaction.auto_continue),
                "remoteEndpoint" => optional_text(value, path, &mut compaction.remote_endpoint),
                "shortSummary" => boolean(value, path, &mut compaction.short_summary),
                _ => Err(unknown(
                    path,
                    "enabled, reserveTokens, keepRecentTokens, autoContinue, remoteEndpoint, shortSummary",
                )),
            }),
            "branchSummary" => object(value, path, &mut |key, value, path| match key {
                "enabled" => boolean(value, path, &mut branch_summary.enabled),
                "reserveTokens" => optional_count(value, path, &mut branch_summary.reserve_tokens),
                _ => Err(unknown(path, "enabled, reserveTokens")),
            }),
            "prune" => object(value, path, &mut |key, value, path| match key {
                "protectTokens" => count(value, path, &mut prune.protect_tokens),
                "minimumSavings" => count(value, path, &mut prune.minimum_savings),
                "protectedTools" => names(value, path, &mut prune.protected_tools),
                "mode" => {
                    choice(value, path, &mut prune.mode, &[PruneMode::Rewrite, PruneMode::Overlay], PruneMode::as_str)
                }
                _ => Err(unknown(path, "protectTokens, minimumSavings, protectedTools, mode")),
            }),
            "retry" => object(value, path, &mut |key, value, path| match key {
                "enabled" => boolean(value, path, &mut retry.enabled),
                "maxRetries" => count(value, path, &mut retry.max_retries),
                "baseDelayMs" => count(value, path, &mut retry.base_delay_ms),
                "maxDelayMs" => count(value, path, &mut retry.max_delay_ms),
                _ => Err(unknown(path, "enabled, maxRetries, baseDelayMs, maxDelayMs")),
            }),
            "requestTimeoutMs" => count(value, path, request_timeout_ms),
            "remote" => object(value, path, &mut |key, value, path| match key {
                "timeoutMs" => count(value, path, &mut remote.timeout_ms),
                "allowedHosts" => names(value, path, &mut remote.allowed_hosts),
                _ => Err(unknown(path, "timeoutMs, allowedHosts")),
            }),
            "fileTools" => object(value, path, &mut |key, value, path| match key {
                "read" => names(value, path, &mut file_tools.read),
                "modify" => names(value, path, &mut file_tools.modify),
                "pathArguments" => names(value, path, &mut file_tools.path_arguments),
                _ => Err(unknown(path, "read, modify, pathArguments")),
            }),
            "fallback" => choice(value, path, fallback, &[Fallback::None, Fallback::Local], Fallback::as_str),
            _ => Err(unknown(
                path,
                "compaction, branchSummary, prune, retry, requestTimeoutMs, remote, fileTools, fallback",
            )),
        })?;
        if let Some(endpoint) = &settings.compaction.remote_endpoint {
            check_endpoint(endpoint, &settings.remote.allowed_hosts)?;
        }
        Ok(settings)
    }
}

type Field<'a> = &'a mut dyn FnMut(&str, &Given, &str) -> Result<(), Error>;

fn object(given: &Given, path: &str, field: Field<'_>) -> Result<(), Error> {
    match given {
        Given::Nothing => Ok(()),
        Given::Object(fields) => fields.iter().try_for_each(|(key, value)| {
            let path = if path == "settings" { key.clone() } else { format!("{path}.{key}") };
            field(key, value, &path)
        }),
        other => Err(refused(path, other, "an object")),
    }
}

fn boolean(given: &Given, path: &str, target: &mut bool) -> Result<(), Error> {
    match given {
        Given::Nothing => Ok(()),
        Given::Bool(value) => {
            *target = *value;
            Ok(())
        }
        other => Err(refused(path, other, "true or false")),
    }
}

fn whole(given: &Given, path: &str) -> Result<Option<u64>, Error> {
    // 2^53: the largest range in which a number of JavaScript names one whole number.
    const MAX: f64 = 9_007_199_254_740_992.0;
    match given {
        Given::Nothing => Ok(None),
        Given::Number(value) if value.fract() == 0.0 && (0.0..=MAX).contains(value) => Ok(Some(*value as u64)),
        other => Err(refused(path, other, "a whole number from 0")),
    }
}

fn count(given: &Given, path: &str, target: &mut u64) -> Result<(), Error> {
    if let Some(value) = whole(given, path)? {
        *target = value;
    }
    Ok(())
}

fn optional_count(given: &Given, path: &str, target: &mut Option<u64>) -> Result<(), Error> {
    if let Some(value) = whole(given, path)? {
        *target = Some(value);
    }
    Ok(())
}

fn optional_text(given: &Given, path: &str, target: &mut Option<String>) -> Result<(), Error> {
    match given {
        Given::Nothing => Ok(()),
        Given::Text(value) => {
            *target = Some(value.clone());
            Ok(())
        }
        other => Err(refused(path, other, "a string")),
    }
}

fn names(given: &Given, path: &str, target: &mut Vec<String>) -> Result<(), Error> {
    const ALLOWED: &str = "an array of strings";
    match given {
        Given::Nothing => Ok(()),
        Given::List(items) => {
            let mut texts = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                let Given::Text(text) = item else {
                    return Err(refused(&format!("{path}[{index}]"), item, "a string"));
                };
                texts.push(text.clone());
            }
            *target = texts;
            Ok(())
        }
        other => Err(refused(path, other, ALLOWED)),
    }
}

fn choice<T: Copy>(
    given: &Given,
    path: &str,
    target: &mut T,
    choices: &[T],
    name: fn(T) -> &'static str,
) -> Result<(), Error> {
    match given {
        Given::Nothing => return Ok(()),
        Given::Text(value) => {
            if let Some(&choice) = choices.iter().find(|&&choice| name(choice) == value) {
                *target = choice;
                return Ok(());
            }
        }
        _ => {}
    }
    let allowed: Vec<String> = choices.iter().map(|&choice| format!("{:?}", name(choice))).collect();
    Err(refused(path, given, &allowed.join(" or ")))
}

fn refused(path: &str, given: &Given, allowed: &str) -> Error {
    Error::new(ErrorCode::InvalidSettings, format!("{path}: {given} is not allowed; allowed is {allowed}"))
}

fn unknown(path: &str, known: &str) -> Error {
    let key = path.rsplit('.').next().unwrap_or(path);
    Error::new(ErrorCode::InvalidSettings, format!("{path}: {} is no setting; known here are {known}", Quoted(key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Settings, Error> {
        Settings::read(&serde_json::from_str(json).unwrap(), &Settings::default())
    }

    fn check(json: &str, message: &str) {
        let error = read(json).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidSettings);
        assert_eq!(error.message, message);
    }

    #[test]
    fn every_part_is_optional() {
        assert_eq!(read("{}").unwrap(), Settings::default());
        assert_eq!(read("null").unwrap(), Settings::default());
        let settings = read(r#"{"compaction":{"keepRecentTokens":5},"fallback":"local"}"#).unwrap();
        assert_eq!(settings.compaction.keep_recent_tokens, Some(5));
        assert_eq!(settings.fallback, Fallback::Local);
        assert!(settings.compaction.enabled);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_path_its_value_and_what_is_allowed() {
        check(
            r#"{"compaction":{"reserveTokens":-1}}"#,
            "compaction.reserveTokens: -1 is not allowed; allowed is a whole number from 0",
        );
        check(
            r#"{"compaction":{"enabled":"yes"}}"#,
            r#"compaction.enabled: "yes" is not allowed; allowed is true or false"#,
        );
        check(r#"{"fallback":"remote"}"#, r#"fallback: "remote" is not allowed; allowed is "none" or "local""#);
        check(
            r#"{"prune":{"protectedTools":["a",1]}}"#,
            "prune.protectedTools[1]: 1 is not allowed; allowed is a string",
        );
        check(
            r#"{"retry":{"tries":1}}"#,
            r#"retry.tries: "tries" is no setting; known here are enabled, maxRetries, baseDelayMs, maxDelayMs"#,
        );
        check(r#"[]"#, "settings: an array is not allowed; allowed is an object");
    }

    #[test]
    fn an_endpoint_is_checked_against_the_hosts_given_with_it_in_any_order() {
        let message = "compaction.remoteEndpoint: \"http://intern.example\" would send the conversation unencrypted";
        let endpoint = r#""compaction":{"remoteEndpoint":"http://intern.example"}"#;
        let hosts = r#""remote":{"allowedHosts":["intern.example"]}"#;
        let error = read(&format!("{{{endpoint}}}")).unwrap_err();
        assert!(error.message.starts_with(message), "{error}");
        for json in [format!("{{{endpoint},{hosts}}}"), format!("{{{hosts},{endpoint}}}")] {
            let settings = read(&json).unwrap();
            assert_eq!(settings.compaction.remote_endpoint.as_deref(), Some("http://intern.example"));
        }
    }

    #[test]
    fn numbers_are_whole_and_finite() {
        for bad in [f64::NAN, f64::INFINITY, 0.5] {
            let given = Given::Object(vec![("requestTimeoutMs".into(), Given::Number(bad))]);
            assert!(Settings::read(&given, &Settings::default()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_value_that_nests_too_deep_is_refused() {
        let json = format!("{{\"retry\":{{\"enabled\":{}1{}}}}}", "[".repeat(100), "]".repeat(100));
        assert!(read(&json).is_err());
    }
}
