//! The vocabulary file, as it is read.
//!
//! Its layout, in this order; numbers are LEB128 where nothing else is said:
//!
//! 1. the eight bytes of [`MAGIC`], of which the last is the version of the layout;
//! 2. the XXH64 of all that follows, eight bytes, the lowest first;
//! 3. the name of the encoding: its length, its bytes;
//! 4. the classes of all code points: how many runs, then the class and the length of each;
//! 5. the levels: how many, then each by how often it comes up;
//! 6. how many tokens there are of each length in bytes: how many lengths, then a number for each from 0 on;
//! 7. the stems of the tokens, in order: how many, then six streams, each with its length before it: the bytes
//!    that a stem shares with the one before, the bytes it does not share, its spellings as bits of
//!    [`crate::variant`], the unshared bytes themselves, and for the tokens, all of one length in bytes together, the
//!    places of their levels in the list above: in one byte, from [`ESCAPE`] on in two, the second of which stands in the
//!    last stream.
//!
//! Streams of one kind of number each, and the same number for what is often equal: a general compressor takes
//! more than half of that off again.

use xxhash_rust::xxh64::xxh64;

use crate::class::Classes;
use crate::encoding::Encoding;
use crate::variant::{SHORT_STEM, VARIANTS, spell, spell_short};
use crate::vocabulary::{Level, NO_TOKEN, Vocabulary};
use crate::warm_up;
use crate::word::{ShortWord, Word};

/// How a file begins.
pub(crate) const MAGIC: [u8; 8] = *b"tfvocab\x02";
/// Where what is hashed begins.
pub(crate) const HASHED_FROM: usize = 16;
/// A first byte from here on, whose highest six bits are set, has a second one.
pub(crate) const ESCAPE: u8 = 252;
/// No token is longer, in bytes.
const LONGEST: usize = 255;

/// What is wrong with a vocabulary file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VocabularyError {
    /// It begins otherwise than such a file.
    #[error("these {length} bytes are no vocabulary file of Threadfold")]
    Unknown {
        /// The bytes that were given.
        length: usize,
    },
    /// It was made for another version of the engine.
    #[error("the vocabulary file has layout {found}, this version of Threadfold reads layout {}: take the file of the same package", MAGIC[7])]
    Version {
        /// The layout it has.
        found: u8,
    },
    /// It is not what was written.
    #[error("the vocabulary file is damaged or cut: {length} bytes, of which the checksum does not hold")]
    Damaged {
        /// The bytes that were given.
        length: usize,
    },
    /// It holds what no such file holds.
    #[error("the vocabulary file makes no sense at its {place}")]
    Senseless {
        /// The part of it.
        place: &'static str,
    },
}

/// What a file holds.
pub(crate) struct Loaded {
    pub(crate) encoding: Encoding,
    pub(crate) classes: Classes,
    pub(crate) vocabulary: Vocabulary,
}

/// The hash by which a package knows a file: the checksum that the file states of itself, 16 hexadecimal
/// digits; `None` where it is too short to.
pub fn hash(file: &[u8]) -> Option<String> {
    checksum(file).map(|checksum| format!("{checksum:016x}"))
}

fn checksum(file: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(*file.get(MAGIC.len()..)?.first_chunk()?))
}

/// The beginning of a file, which must be what was written: its encoding, and what follows that.
fn begin(file: &[u8]) -> Result<(Encoding, Reader<'_>), VocabularyError> {
    let length = file.len();
    let Some((magic, _)) = file.split_first_chunk::<8>().filter(|(magic, _)| magic[..7] == MAGIC[..7]) else {
        return Err(VocabularyError::Unknown { length });
    };
    if magic[7] != MAGIC[7] {
        return Err(VocabularyError::Version { found: magic[7] });
    }
    let body = file.get(HASHED_FROM..).unwrap_or_default();
    if checksum(file) != Some(xxh64(body, 0)) {
        return Err(VocabularyError::Damaged { length });
    }
    let mut reader = Reader { rest: body };
    let encoding = reader.name().ok_or(VocabularyError::Senseless { place: "name" })?;
    Ok((encoding, reader))
}

/// The encoding that a file is of.
pub fn encoding_of(file: &[u8]) -> Result<Encoding, VocabularyError> {
    begin(file).map(|(encoding, _)| encoding)
}

/// Reads a file. `warm_up` gets what is loaded when half of it is there, and a text, and gives it back.
pub(crate) fn read(file: &[u8], warm_up: impl FnOnce(Loaded, &[u8]) -> Loaded) -> Result<Loaded, VocabularyError> {
    let (encoding, mut reader) = begin(file)?;
    let classes = reader.classes().ok_or(VocabularyError::Senseless { place: "classes" })?;
    reader.vocabulary(encoding, classes, warm_up).ok_or(VocabularyError::Senseless { place: "tokens" })
}

/// Reads a file from its start on; `None` is what makes no sense.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn number(&mut self) -> Option<u32> {
        let first = self.byte()?;
        // Most are small.
        if first < 0x80 { Some(u32::from(first)) } else { self.rest_of_number(first) }
    }

    fn rest_of_number(&mut self, first: u8) -> Option<u32> {
        let (mut number, mut shift) = (u32::from(first & 0x7f), 7);
        while shift <= 21 {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
        None
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    fn name(&mut self) -> Option<Encoding> {
        Encoding::named(std::str::from_utf8(self.bytes()?).ok()?)
    }

    fn classes(&mut self) -> Option<Classes> {
        let runs = self.number()?;
        // A run that cannot be read is one that does not fit.
        Classes::from_runs((0..runs).map(|_| self.byte().zip(self.number()).unwrap_or_default()))
    }

    fn level(&mut self) -> Option<Level> {
        Level::try_from(self.number()?).ok().filter(|&level| level != NO_TOKEN)
    }

    fn vocabulary(
        &mut self,
        encoding: Encoding,
        classes: Classes,
        warm_up: impl FnOnce(Loaded, &[u8]) -> Loaded,
    ) -> Option<Loaded> {
        let levels = (0..self.number()?).map(|_| self.level()).collect::<Option<Vec<_>>>()?;
        let counts = (0..self.number()?).map(|_| Some(self.number()? as usize)).collect::<Option<Vec<_>>>()?;
        // More tokens than bytes that tell of them: no room is to be made for those.
        if counts.len() > LONGEST + 1 || counts.iter().map(|&count| count as u64).sum::<u64>() > self.rest.len() as u64
        {
            return None;
        }
        let mut loaded = Loaded { encoding, classes, vocabulary: Vocabulary::with_room(&counts) };
        let stems = self.number()?;
        let [mut shared, mut unshared, mut spellings, mut bytes] = [(); 4].map(|()| Reader { rest: &[] });
        for stream in [&mut shared, &mut unshared, &mut spellings, &mut bytes] {
            stream.rest = self.bytes()?;
        }
        let text = warm_up::text(bytes.rest);
        let levels = Levels::new(&levels, &counts, self.bytes()?, self.bytes()?)?;
        let (stem, token) = (Word::default(), Word::default());
        let mut tokens = Tokens { shared, unshared, spellings, bytes, levels, stem, token };
        tokens.add_stems(stems / 2, &mut loaded.vocabulary)?;
        loaded = warm_up(loaded, &text);
        tokens.add_stems(stems - stems / 2, &mut loaded.vocabulary)?;
        loaded.vocabulary.finish().then_some(loaded)
    }
}

/// The tokens on their way into a vocabulary.
struct Tokens<'a> {
    shared: Reader<'a>,
    unshared: Reader<'a>,
    spellings: Reader<'a>,
    bytes: Reader<'a>,
    levels: Levels<'a>,
    /// The newest stem.
    stem: Word,
    /// The newest token.
    token: Word,
}

impl Tokens<'_> {
    #[inline(never)]
    fn add_stems(&mut self, stems: u32, vocabulary: &mut Vocabulary) -> Option<()> {
        (0..stems).try_for_each(|_| self.add_next_stem(vocabulary))
    }

    /// Adds the tokens of the next stem. A wasm engine compiles a function anew, and well, once it was called often:
    /// the sooner the smaller it is. It cannot do so for a loop that is under way.
    #[inline(never)]
    fn add_next_stem(&mut self, vocabulary: &mut Vocabulary) -> Option<()> {
        self.stem.truncate(usize::from(self.shared.byte()?));
        let unshared = usize::from(self.unshared.byte()?);
        let rest = self.bytes.rest.get(unshared..)?;
        self.stem.extend(self.bytes.rest, unshared);
        self.bytes.rest = rest;
        let spellings = self.spellings.byte().filter(|spellings| spellings >> VARIANTS == 0)?;
        match self.stem.short().filter(|stem| stem.length <= SHORT_STEM) {
            Some(stem) => self.add_short_tokens(stem, spellings, vocabulary),
            None => self.add_tokens(spellings, vocabulary),
        }
    }

    #[inline(always)]
    fn add_short_tokens(&mut self, stem: ShortWord, mut spellings: u8, vocabulary: &mut Vocabulary) -> Option<()> {
        while spellings != 0 {
            let token = spell_short(stem, spellings.trailing_zeros() as u8);
            spellings &= spellings - 1;
            let level = self.levels.next(token.length)?;
            vocabulary.add_short(token, level).then_some(())?;
        }
        Some(())
    }

    #[inline(never)]
    fn add_tokens(&mut self, spellings: u8, vocabulary: &mut Vocabulary) -> Option<()> {
        for variant in (0..VARIANTS).filter(|variant| spellings >> variant & 1 == 1) {
            spell(&self.stem, variant, &mut self.token);
            let level = self.levels.next(self.token.len())?;
            vocabulary.add(self.token.padded(), self.token.len(), level).then_some(())?;
        }
        Some(())
    }
}

/// The levels of tokens, which are told apart by the lengths of the tokens.
struct Levels<'a> {
    levels: &'a [Level],
    /// What is left of the two streams, for each length.
    left: Vec<(Reader<'a>, Reader<'a>)>,
}

impl<'a> Levels<'a> {
    #[inline(never)]
    fn new(levels: &'a [Level], counts: &[usize], mut places: &'a [u8], mut escaped: &'a [u8]) -> Option<Self> {
        let mut left = Vec::with_capacity(counts.len());
        for &count in counts {
            let (own, rest) = places.split_at_checked(count)?;
            let escapes = escapes_in(own);
            let (own_escaped, rest_escaped) = escaped.split_at_checked(escapes)?;
            left.push((Reader { rest: own }, Reader { rest: own_escaped }));
            (places, escaped) = (rest, rest_escaped);
        }
        Some(Self { levels, left })
    }

    /// The level of the next token of that length.
    fn next(&mut self, length: usize) -> Option<Level> {
        let (places, escaped) = self.left.get_mut(length)?;
        let place = places.byte()?;
        let place = match place.checked_sub(ESCAPE) {
            None => usize::from(place),
            Some(high) => usize::from(ESCAPE) + (usize::from(high) << 8 | usize::from(escaped.byte()?)),
        };
        self.levels.get(place).copied()
    }
}

/// How many places are escaped, of eight at once.
fn escapes_in(places: &[u8]) -> usize {
    let (eights, rest) = places.as_chunks::<8>();
    let escaped = |eight: &[u8; 8]| {
        // All of its bits but the lowest two are set: then one more carries over.
        let high = u64::from_le_bytes(*eight) >> 2 & u64::from_le_bytes([0x3f; 8]);
        ((high + u64::from_le_bytes([1; 8])) & u64::from_le_bytes([0x40; 8])).count_ones() as usize
    };
    eights.iter().map(escaped).sum::<usize>() + rest.iter().filter(|&&place| place >= ESCAPE).count()
}

#[cfg(test)]
#[cfg(feature = "build")]
mod tests {
    use super::*;
    use crate::testing::FILE;

    fn error(file: &[u8]) -> VocabularyError {
        read(file, |loaded, _| loaded).err().unwrap()
    }

    #[test]
    fn a_file_is_read_as_it_was_written_and_no_other() {
        let loaded = read(&FILE, |loaded, _| loaded).unwrap();
        assert_eq!(loaded.encoding, Encoding::R50kBase);
        assert_ne!(loaded.vocabulary.level(b" the", 0, 4), crate::vocabulary::NO_TOKEN);
        let length = FILE.len();
        for cut in [0, 1, 7, 8, 15, 16, 17, length / 2, length - 1] {
            let expected = if cut < 8 {
                VocabularyError::Unknown { length: cut }
            } else {
                VocabularyError::Damaged { length: cut }
            };
            assert_eq!(error(&FILE[..cut]), expected);
        }
        assert_eq!(error(&[&FILE[..], b"\0"].concat()), VocabularyError::Damaged { length: length + 1 });
        assert_eq!(error(b"<!doctype html><title>404</title>"), VocabularyError::Unknown { length: 33 });
    }

    #[test]
    fn the_level_of_what_is_no_token_is_refused() {
        let level = |rest: &[u8]| Reader { rest }.level();
        assert_eq!(level(&[0xfe, 0xff, 0x03]), Some(NO_TOKEN - 1));
        assert_eq!(level(&[0xff, 0xff, 0x03]), None);
        assert_eq!(level(&[0x80, 0x80, 0x04]), None);
    }

    #[test]
    fn the_encoding_is_told_of_a_good_file_only() {
        assert_eq!(encoding_of(&FILE), Ok(Encoding::R50kBase));
        let length = FILE.len() - 1;
        assert_eq!(encoding_of(&FILE[..length]), Err(VocabularyError::Damaged { length }));
    }

    #[test]
    fn escaped_places_are_counted() {
        let places: Vec<u8> = (0..=255).chain(0..=255).collect();
        for length in 0..places.len() {
            let expected = places[..length].iter().filter(|&&place| place >= ESCAPE).count();
            assert_eq!(escapes_in(&places[..length]), expected);
        }
    }

    #[test]
    fn a_changed_byte_anywhere_is_noticed() {
        for at in (0..FILE.len()).step_by(997).chain([0, 6, 7, 8, 15, 16, FILE.len() - 1]) {
            let mut file = FILE.clone();
            file[at] ^= 0x10;
            match (at, error(&file)) {
                (..7, VocabularyError::Unknown { .. }) | (8.., VocabularyError::Damaged { .. }) => {}
                (7, VocabularyError::Version { found }) => assert_eq!(found, MAGIC[7] ^ 0x10),
                (at, error) => panic!("byte {at}: {error}"),
            }
        }
    }

    /// What holds of a file whose checksum is right, whatever it holds.
    #[test]
    fn senseless_content_is_an_error_and_ends() {
        for at in (HASHED_FROM..FILE.len()).step_by(1_009).chain(HASHED_FROM..HASHED_FROM + 200) {
            for change in [0x01, 0x80, 0xff] {
                let mut file = FILE.clone();
                file[at] ^= change;
                let checksum = xxh64(&file[HASHED_FROM..], 0).to_le_bytes();
                file[8..16].copy_from_slice(&checksum);
                // It may make sense after all: another letter of a token, another level.
                let _ = read(&file, |loaded, _| loaded);
                assert!(matches!(error(&file[..at]), VocabularyError::Damaged { .. }));
            }
        }
    }
}
