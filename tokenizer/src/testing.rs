//! The smallest vocabulary, for tests.

use std::sync::LazyLock;

use crate::encoding::Encoding;
use crate::vocabulary::Vocabulary;

/// Its file.
pub(crate) static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| crate::build::vocabulary_file(Encoding::R50kBase));

/// Its tokens.
pub(crate) fn vocabulary() -> &'static Vocabulary {
    static VOCABULARY: LazyLock<Vocabulary> =
        LazyLock::new(|| crate::file::read(&FILE, |loaded, _| loaded).expect("the file is good").vocabulary);
    &VOCABULARY
}
