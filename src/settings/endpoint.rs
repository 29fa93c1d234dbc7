//! Which addresses a remote endpoint may have.
//!
//! What is sent to an endpoint is the user's conversation, so the rule lets through only addresses
//! that every parser of URLs reads in the same way: a scheme, a host in its plain spelling, a port.
//! What some parser would strip, decode or take for another host is refused, not interpreted.

use crate::error::{Error, ErrorCode, Quoted};

/// Checks the address of a remote endpoint: https with any host; http with a host on loopback
/// (`localhost`, `127.0.0.0/8`, `[::1]`) or one of the `allowed_hosts`.
/// An allowed host is written `host`, for all its ports, or `host:port`.
///
/// # Errors
///
/// `invalid-settings` with the path of the setting, the value without what may be secret in it, and
/// what is allowed.
///
/// ```
/// use threadfold::settings::check_endpoint;
/// assert!(check_endpoint("https://summaries.example/v1", &[]).is_ok());
/// assert!(check_endpoint("http://localhost:8080/", &[]).is_ok());
/// assert!(check_endpoint("http://summaries.example/v1", &[]).is_err());
/// assert!(check_endpoint("http://summaries.example/v1", &["summaries.example".into()]).is_ok());
/// ```
pub fn check_endpoint(url: &str, allowed_hosts: &[String]) -> Result<(), Error> {
    for (index, host) in allowed_hosts.iter().enumerate() {
        if Host::parse(host).is_none() {
            let path = format!("remote.allowedHosts[{index}]");
            return Err(refused(&path, host, "is not allowed", "a host, or host:port, with no scheme or path"));
        }
    }
    let (reason, allowed) = match check(url, allowed_hosts) {
        Ok(()) => return Ok(()),
        Err(Fault::OddCharacter) => {
            ("holds white space, a control character or a backslash", "an address without them")
        }
        Err(Fault::Scheme) => ("is no full web address", "https://, or http:// on a loopback address"),
        Err(Fault::Credentials) => {
            ("holds a user name or a password", "an address without them; `headers` are an option of the call")
        }
        Err(Fault::Host) => (
            "has no plain host",
            "a host of ASCII letters, digits, '.', '-' and '_' (international names as xn--…), or [IPv6], and a port",
        ),
        Err(Fault::Unencrypted) => (
            "would send the conversation unencrypted",
            "https://, http:// on localhost, 127.0.0.1 or [::1], or http:// with a host that remote.allowedHosts names",
        ),
    };
    Err(refused("compaction.remoteEndpoint", url, reason, allowed))
}

fn refused(path: &str, url: &str, reason: &str, allowed: &str) -> Error {
    let shown = without_secrets(url);
    Error::new(ErrorCode::InvalidSettings, format!("{path}: {} {reason}; allowed is {allowed}", Quoted(&shown)))
}

/// Why an address is refused.
enum Fault {
    OddCharacter,
    Scheme,
    Credentials,
    Host,
    Unencrypted,
}

fn check(url: &str, allowed_hosts: &[String]) -> Result<(), Fault> {
    // Parsers strip tabs and line ends, and take a backslash for a slash.
    if url.bytes().any(|byte| byte <= b' ' || byte == b'\x7f' || byte == b'\\') {
        return Err(Fault::OddCharacter);
    }
    let (scheme, rest) = url.split_once("://").ok_or(Fault::Scheme)?;
    let secure = scheme.eq_ignore_ascii_case("https");
    if !secure && !scheme.eq_ignore_ascii_case("http") {
        return Err(Fault::Scheme);
    }
    let authority = until_path(rest);
    if authority.contains('@') {
        return Err(Fault::Credentials);
    }
    let host = Host::parse(authority).ok_or(Fault::Host)?;
    let is_allowed = |allowed: &String| Host::parse(allowed).is_some_and(|allowed| allowed.covers(&host));
    let passes = secure || host.is_loopback() || allowed_hosts.iter().any(is_allowed);
    if passes { Ok(()) } else { Err(Fault::Unencrypted) }
}

/// What stands before the path, the query and the fragment.
fn until_path(rest: &str) -> &str {
    let end = rest.bytes().position(|byte| b"/?#\\".contains(&byte)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// A host and a port, in plain spelling.
struct Host<'a> {
    /// Without the brackets of IPv6; only there it holds a colon.
    name: &'a str,
    port: Option<u16>,
}

/// The port of http where none is written.
const HTTP_PORT: u16 = 80;

impl<'a> Host<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (name, port, plain) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, port) = rest.split_once(']')?;
                let is_plain = |byte: u8| byte.is_ascii_hexdigit() || b":.".contains(&byte);
                (address, port, address.contains(':') && address.bytes().all(is_plain))
            }
            None => {
                let (name, port) = text.split_at_checked(text.find(':').unwrap_or(text.len()))?;
                let has_empty_label = name.is_empty() || name.starts_with('.') || name.contains("..");
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
                (name, port, !has_empty_label && name.bytes().all(is_plain))
            }
        };
        let port = match port.strip_prefix(':') {
            // Rust reads a sign in a number.
            Some(digits) if !digits.starts_with('+') => Some(digits.parse().ok()?),
            None if port.is_empty() => None,
            _ => return None,
        };
        plain.then_some(Self { name, port })
    }

    /// Whether the host is this machine to any resolver: other spellings of 127.0.0.1, such as
    /// `0x7f.1`, `2130706433` or one with leading zeros, are not plain and do not count.
    fn is_loopback(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        let is_byte = |part: &str| part.parse::<u8>().is_ok() && (part == "0" || !part.starts_with('0'));
        let in_net = |rest: &str| rest.split('.').count() == 3 && rest.split('.').all(is_byte);
        // A name below `.localhost` is asked of a resolver by some hosts, which may say anything.
        name == "localhost" || name == "::1" || name.strip_prefix("127.").is_some_and(in_net)
    }

    /// Whether an entry of the allowed hosts lets this host through.
    fn covers(&self, other: &Host<'_>) -> bool {
        self.name.eq_ignore_ascii_case(other.name)
            && self.port.is_none_or(|port| port == other.port.unwrap_or(HTTP_PORT))
    }
}

/// An address for a message: its scheme and its host, without what may be secret.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    // A password may hold anything, so an '@' hides all before it.
    let host = until_path(rest.rsplit_once('@').map_or(rest, |(_, host)| host));
    let colon = if scheme.is_empty() { "" } else { "://" };
    let hidden = if host.len() < rest.len() { "…" } else { "" };
    [scheme, colon, host, hidden].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str, allowed: &[&str]) -> Option<String> {
        let allowed: Vec<String> = allowed.iter().map(|&host| host.to_owned()).collect();
        let error = check_endpoint(url, &allowed).err()?;
        assert_eq!(error.code, ErrorCode::InvalidSettings, "{url}");
        Some(error.message)
    }

    fn passes(url: &str) -> bool {
        refusal(url, &[]).is_none()
    }

    #[test]
    fn https_passes_with_any_plain_host() {
        for url in [
            "https://summaries.example",
            "https://summaries.example/",
            "https://summaries.example/v1/a%20b?key=1&other=%2F#part",
            "HTTPS://Summaries.Example:8443/v1",
            "https://summaries.example./",
            "https://a_b.example",
            "https://xn--bcher-kva.example/",
            "https://10.0.0.1/",
            "https://[2001:db8::1]:8443/",
            "https://summaries.example/pfad/ü?q=@",
        ] {
            assert!(passes(url), "{url}");
        }
    }

    #[test]
    fn http_passes_on_plain_loopback_alone() {
        for url in [
            "http://localhost",
            "http://localhost:3000/summaries?x#y",
            "HTTP://LOCALHOST/",
            "http://127.0.0.1:80/",
            "http://127.255.0.9/",
            "http://[::1]/",
            "http://[::1]:65535/a",
        ] {
            assert!(passes(url), "{url}");
        }
        for url in [
            "http://summaries.example/",
            "http://127.0.0.1.evil.com/",
            "http://localhost.evil.com/",
            "http://api.localhost:8080/",
            "http://evil-localhost/",
            "http://notlocalhost/",
            "http://localhost./",
            "http://0x7f.1/",
            "http://0x7f000001/",
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://127.0.1/",
            "http://127.0.0.256/",
            "http://127.0.0.01/",
            "http://127.0.0.1./",
            "http://127.0.0.1.1/",
            "http://127.+1.0.1/",
            "http://128.0.0.1/",
            "http://0.0.0.0/",
            "http://10.0.0.1/",
            "http://169.254.169.254/",
            "http://[::]/",
            "http://[::2]/",
            "http://[0:0:0:0:0:0:0:1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://ⓛocalhost/",
            "http://１２７.0.0.1/",
            "http://127。0。0。1/",
        ] {
            assert!(!passes(url), "{url}");
        }
    }

    #[test]
    fn what_parsers_read_differently_is_refused_with_either_scheme() {
        for rest in [
            "localhost@evil.com/",
            "localhost:80@evil.com/",
            "user:pass@localhost/",
            "@localhost/",
            "localhost%40evil.com/",
            "localhost\\@evil.com/",
            "localhost\\.evil.com/",
            "evil.com\\localhost/",
            "local\thost/",
            "local\nhost/",
            " localhost/",
            "localhost /",
            "localhost/a b",
            "localhost/\u{0}",
            "localhost\u{a0}/",
            "localhost\u{200b}/",
            "bücher.example/",
            "%6cocalhost/",
            "localhost:/",
            "localhost:a/",
            "localhost:-1/",
            "localhost:+80/",
            "localhost:65536/",
            "localhost:99999999999999999999/",
            "localhost:80:80/",
            "[::1/",
            "[localhost]/",
            "[::1]a/",
            "[::1%25eth0]/",
            "[]/",
            "a..localhost/",
            ".localhost/",
            "",
            "/localhost/",
            "?localhost",
            "#localhost",
        ] {
            for scheme in ["http", "https"] {
                assert!(!passes(&format!("{scheme}://{rest}")), "{scheme}://{rest}");
            }
        }
    }

    #[test]
    fn only_full_web_addresses_pass() {
        for url in [
            "",
            "/api/summaries",
            "summaries",
            "localhost:8080",
            "//summaries.example/",
            "https:",
            "https:summaries.example",
            "https:/summaries.example",
            "http:localhost",
            "ftp://summaries.example/",
            "file:///etc/passwd",
            "ws://localhost/",
            "data:application/json,{}",
            "blob:https://summaries.example/1",
            "javascript:alert(1)",
            " https://summaries.example/",
            "\u{feff}https://summaries.example/",
        ] {
            assert!(!passes(url), "{url}");
        }
    }

    #[test]
    fn an_allowed_host_is_met_as_it_is_named() {
        let named = ["intern.example", "10.0.0.1:8080", "[fd00::1]", "port.example:80"];
        for (url, allowed) in [
            ("http://intern.example/", true),
            ("http://intern.example:9000/v1", true),
            ("http://INTERN.example/", true),
            ("http://10.0.0.1:8080/", true),
            ("http://10.0.0.1/", false),
            ("http://10.0.0.1:8081/", false),
            ("http://[fd00::1]:7000/", true),
            ("http://port.example/", true),
            ("http://port.example:8080/", false),
            ("http://a.intern.example/", false),
            ("http://intern.example.evil.com/", false),
            ("http://evil-intern.example/", false),
            ("http://intern.example@evil.com/", false),
            ("ftp://intern.example/", false),
            ("http://localhost/", true),
            ("https://anywhere.example/", true),
        ] {
            assert_eq!(refusal(url, &named).is_none(), allowed, "{url}");
        }
    }

    #[test]
    fn an_allowed_host_that_is_no_host_is_named() {
        for bad in ["http://intern.example", "intern.example/v1", "*.example", "", "user@intern.example", "a:b"] {
            let message = refusal("https://summaries.example/", &["good.example", bad]).unwrap();
            assert!(message.starts_with("remote.allowedHosts[1]: "), "{message}");
            assert!(message.contains("allowed is a host, or host:port"), "{message}");
        }
    }

    #[test]
    fn a_refusal_names_the_setting_the_address_and_what_is_allowed() {
        assert_eq!(
            refusal("http://summaries.example:81/v1", &[]).unwrap(),
            "compaction.remoteEndpoint: \"http://summaries.example:81…\" would send the conversation unencrypted; \
             allowed is https://, http:// on localhost, 127.0.0.1 or [::1], or http:// with a host that \
             remote.allowedHosts names"
        );
        assert_eq!(
            refusal("/api", &[]).unwrap(),
            "compaction.remoteEndpoint: \"…\" is no full web address; allowed is https://, or http:// on a loopback address"
        );
    }

    #[test]
    fn a_refusal_holds_no_secret_and_is_short() {
        for url in [
            "https://me:s3cret@summaries.example/s3cret?key=s3cret#s3cret",
            "http://summaries.example/hooks/s3cret",
            "http://summaries.example?key=s3cret",
            "https://s3cret@summaries.example",
            "https://me:s3cret/s3cret@summaries.example/",
            "me:s3cret@summaries.example",
            "/hooks/s3cret",
            "https://summaries.example/a b/s3cret",
            "https://summaries.example\\s3cret",
        ] {
            let message = refusal(url, &[]).unwrap();
            assert!(!message.contains("s3cret"), "{message}");
        }
        for url in ["x".repeat(100_000), format!("http://{}/", "x.".repeat(100_000)), "é".repeat(100_000)] {
            let message = refusal(&url, &[]).unwrap();
            assert!(message.chars().count() < 400, "{} characters", message.chars().count());
        }
    }
}
