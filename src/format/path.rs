//! Values at a path of keys with dots between them.

use super::tree::Tree;

/// Takes the value at a path of keys with dots between them.
pub(super) fn take_at<'a>(part: &mut Tree<'a>, path: &str) -> Option<Tree<'a>> {
    match path.split_once('.') {
        None => part.take(path),
        Some((key, path)) => {
            let Tree::Object(fields) = part else { return None };
            let (_, inner) = fields.iter_mut().rev().find(|(name, _)| name == key)?;
            if let Tree::Raw(_) = inner {
                *inner = std::mem::take(inner).opened();
            }
            take_at(inner, path)
        }
    }
}

/// Sets the value at a path.
pub(super) fn set_at<'a>(part: &mut Tree<'a>, path: &'static str, value: Tree<'a>) {
    match path.split_once('.') {
        None => part.set(path, value),
        Some((key, path)) => {
            let mut inner = part.get(key).cloned().unwrap_or_else(Tree::empty).opened();
            set_at(&mut inner, path, value);
            part.set(key, inner);
        }
    }
}

pub(super) fn drop_if_empty(part: &mut Tree<'_>, path: &str) {
    if let Some((outer, _)) = path.rsplit_once('.')
        && let Some(Tree::Object(fields)) = part.get(outer)
        && fields.is_empty()
    {
        part.take(outer);
    }
}

/// Takes the value at a path out, and what held nothing else.
pub(super) fn drop_at(part: &mut Tree<'_>, path: &str) {
    take_at(part, path);
    drop_if_empty(part, path);
}
