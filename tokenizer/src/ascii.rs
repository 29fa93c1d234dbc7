//! Runs of ASCII letters, eight at a time: most words end within the first eight, and where is told without a branch.

/// One byte in each of eight.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The bit of each byte that no ASCII has.
pub(crate) const HIGH: u64 = each(0x80);

/// Where a run of small letters that begins at a byte ends, as far as it is ASCII.
#[inline(always)]
pub(crate) fn small_letters(text: &[u8], from: usize) -> usize {
    run(text, from, 0)
}

/// The same for letters of either case.
#[inline(always)]
pub(crate) fn letters(text: &[u8], from: usize) -> usize {
    run(text, from, each(b' '))
}

/// The bits in `case` are set before letters are looked at: those that make a capital small.
#[inline(always)]
fn run(text: &[u8], from: usize, case: u64) -> usize {
    let mut at = from;
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let others = HIGH & !small_letters_of(u64::from_le_bytes(*eight) | case);
        at += others.trailing_zeros() as usize / 8;
        if others != 0 {
            return at;
        }
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| (byte | case as u8).is_ascii_lowercase()).count()
}

/// The high bit of each byte that is a small letter.
#[inline(always)]
pub(crate) fn small_letters_of(bytes: u64) -> u64 {
    // With its own high bit out of the way, no byte carries over into the next.
    let low = bytes & !HIGH;
    let from_a = low + each(0x80 - b'a');
    let behind_z = low + each(0x80 - b'z' - 1);
    from_a & !behind_z & !bytes & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_at_whatever_is_no_letter() {
        for length in 0..20 {
            for other in 0..=255_u8 {
                let text = |letter: u8| [vec![letter; length], vec![other], vec![letter; 9]].concat();
                for end in [length + 1, length + 10] {
                    let of = |letter: u8| text(letter).into_iter().take(end).collect::<Vec<_>>();
                    let expected = |counts: bool| if counts { end } else { length };
                    assert_eq!(small_letters(&of(b'q'), 0), expected(other.is_ascii_lowercase()), "{length} {other}");
                    assert_eq!(letters(&of(b'q'), 0), expected(other.is_ascii_alphabetic()), "{length} {other}");
                    assert_eq!(letters(&of(b'Q'), 0), expected(other.is_ascii_alphabetic()), "{length} {other}");
                }
                assert_eq!(
                    small_letters(&text(b'Q'), 0),
                    if length > 0 { 0 } else { usize::from(other.is_ascii_lowercase()) }
                );
            }
        }
    }
}
