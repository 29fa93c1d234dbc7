#!/usr/bin/env bash
# Copies the day's lists to the second office, and keeps two weeks of them.
set -euo pipefail

SOURCE=${1:?"usage: $0 SOURCE [TARGET]"}
TARGET=${2:-/srv/backup/lists}
KEEP_DAYS=14
STAMP=$(date -u +%Y-%m-%dT%H%M%SZ)

log() { printf '%s %s\n' "$(date -u +%H:%M:%S)" "$*" >&2; }

if [[ ! -d "$SOURCE" ]]; then
  log "no such folder: $SOURCE"
  exit 2
fi

mkdir -p "$TARGET/$STAMP"
trap 'rm -rf "${TARGET:?}/$STAMP.part"' EXIT

find "$SOURCE" -maxdepth 2 -type f -name '*.csv' -print0 |
  while IFS= read -r -d '' file; do
    name=$(basename "$file")
    if ! gzip -9 -c "$file" > "$TARGET/$STAMP/$name.gz"; then
      log "could not pack $name"
      continue
    fi
    sha256sum "$TARGET/$STAMP/$name.gz" >> "$TARGET/$STAMP/SHA256SUMS"
  done

rsync -az --delete --exclude='*.tmp' "$TARGET/" "backup@office-2:/srv/lists/" || log "rsync ended with $?"
find "$TARGET" -mindepth 1 -maxdepth 1 -type d -mtime +"$KEEP_DAYS" -exec rm -rf {} +
log "done: $(ls "$TARGET/$STAMP" | wc -l) files"
