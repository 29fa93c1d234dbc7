//! Times as records write them.

/// What the date and the time of day look like: 0 stands for a digit.
const SHAPE: &[u8] = b"0000-00-00T00:00:00";

/// The milliseconds since 1970 that a time of ISO 8601 names: in UTC, such as
/// `2026-01-31T12:00:00.000Z`, which is how sessions write it, or with an offset such as `+02:00`; none
/// for anything else.
pub(crate) fn milliseconds(text: &str) -> Option<i64> {
    let (date, rest) = text.as_bytes().split_at_checked(SHAPE.len())?;
    let mut parts = [0_i64; 6];
    let mut part = parts.iter_mut();
    let mut number = part.next()?;
    for (byte, shape) in date.iter().zip(SHAPE) {
        match (shape, byte) {
            (b'0', b'0'..=b'9') => *number = *number * 10 + i64::from(byte - b'0'),
            (b'0', _) => return None,
            _ if byte == shape => number = part.next()?,
            _ => return None,
        }
    }
    let (rest, offset) = match rest.strip_suffix(b"Z") {
        Some(rest) => (rest, 0),
        None => offset_of(rest)?,
    };
    let thousandths = match rest {
        [] => 0,
        [b'.', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            // Missing digits are zeros, and what is finer than a millisecond is cut.
            digits.iter().chain(b"00").take(3).fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
        }
        _ => return None,
    };
    let [year, month, day, hour, minute, second] = parts;
    if !(1..=12).contains(&month) {
        return None;
    }
    let minutes = (days_since_1970(year, month, day) * 24 + hour) * 60 + minute - offset;
    Some((minutes * 60 + second) * 1_000 + thousandths)
}

/// What stands before an offset from UTC, and the offset in minutes.
fn offset_of(text: &[u8]) -> Option<(&[u8], i64)> {
    let (rest, offset) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let &[sign @ (b'+' | b'-'), h, hh, b':', m, mm] = offset else { return None };
    if ![h, hh, m, mm].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let [h, hh, m, mm] = [h, hh, m, mm].map(|digit| i64::from(digit - b'0'));
    let minutes = (h * 10 + hh) * 60 + m * 10 + mm;
    Some((rest, if sign == b'-' { -minutes } else { minutes }))
}

/// The days from 1970 to a date of the Gregorian calendar. Years begin in March here, so that the
/// leap day is the last one.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let month = (month + 9) % 12;
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + day_of_year - 719_468
}

/// The time as sessions write it; none before the year 0 and behind the year 9999.
pub(crate) fn iso(milliseconds: i64) -> Option<String> {
    let (days, time) = (milliseconds.div_euclid(86_400_000), milliseconds.rem_euclid(86_400_000));
    // Days from the first of March of the year 0, in cycles of 400 years.
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (cycle * 400 + year + month / 10, (month + 2) % 12 + 1);
    if !(0..10_000).contains(&year) {
        return None;
    }
    let (seconds, thousandths) = (time / 1_000, time % 1_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{thousandths:03}Z"))
}

#[cfg(test)]
mod tests {
    use super::{iso, milliseconds};

    #[test]
    fn times_are_written_as_they_are_read() {
        for text in [
            "1970-01-01T00:00:00.000Z",
            "2026-01-01T00:00:01.500Z",
            "2024-02-29T23:59:59.007Z",
            "2000-03-01T00:00:00.123Z",
            "1969-12-31T23:59:59.500Z",
            "0000-01-01T00:00:00.050Z",
            "9999-12-31T23:59:59.999Z",
            "1900-02-28T12:00:00.000Z",
            "2100-12-31T00:00:00.000Z",
        ] {
            assert_eq!(milliseconds(text).and_then(iso).as_deref(), Some(text));
        }
        assert_eq!((iso(i64::MAX), iso(i64::MIN)), (None, None));
        // Every day of two cycles of 400 years.
        for day in 0..292_194 {
            let time = day * 86_400_000 - 62_167_219_200_000;
            assert_eq!(iso(time).as_deref().and_then(milliseconds), Some(time));
        }
    }

    #[test]
    fn times_are_read_to_the_millisecond() {
        for (text, expected) in [
            ("1970-01-01T00:00:00.000Z", 0),
            ("2026-01-01T00:00:01.500Z", 1_767_225_601_500),
            ("2024-02-29T23:59:59Z", 1_709_251_199_000),
            ("2000-03-01T00:00:00.1239999Z", 951_868_800_123),
            ("1969-12-31T23:59:59.5Z", -500),
            ("0000-01-01T00:00:00.05Z", -62_167_219_199_950),
            ("1970-01-01T02:00:00.000+02:00", 0),
            ("1969-12-31T18:30:01-05:30", 1_000),
        ] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "t",
            "2026",
            "2026-13-01T00:00:00Z",
            "2026-01-01T00:00",
            "2026-01-01T00:00:00",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.0\u{e9}Z",
            "2026-01-01T00:00:00\u{e9}",
            "2026-01-01T02:00:00+2:00",
            "+026-01-01T00:00:00Z",
        ] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }
}
