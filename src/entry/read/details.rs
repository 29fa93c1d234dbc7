//! From the JSON of the details of a summary to the files that they name.

use super::super::FileLists;
use super::super::field::{Field, Fields, Target};
use super::super::json::Scalar;

/// The fields of details that name files.
#[derive(Default)]
pub(super) struct DetailsFields<'a> {
    read_files: Field<Vec<Scalar<'a>>>,
    modified_files: Field<Vec<Scalar<'a>>>,
}

/// Details are the host's own: what is no object of ours simply names no files.
pub(super) fn file_lists(details: Field<DetailsFields<'_>>) -> FileLists {
    let Field::Is(details) = details else { return FileLists::default() };
    let texts = |list: Field<Vec<Scalar<'_>>>| match list {
        Field::Is(files) => files.into_iter().filter_map(|file| Some(file.into_text()?.into_owned())).collect(),
        _ => Vec::new(),
    };
    FileLists { read_files: texts(details.read_files), modified_files: texts(details.modified_files) }
}

impl<'de> Fields<'de> for DetailsFields<'de> {
    fn target(&mut self, key: &str) -> Target<'_, 'de> {
        match key {
            "readFiles" => Target::Value(&mut self.read_files),
            "modifiedFiles" => Target::Value(&mut self.modified_files),
            _ => Target::Nowhere,
        }
    }
}
