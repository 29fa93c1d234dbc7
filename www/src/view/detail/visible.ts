// Text as it is, with what cannot be seen made visible.

/** Control characters but line ends and tabs, and marks that turn the direction of text around. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Its number, as ⟨U+0007⟩: not every font has a picture of it. */
function numbered(unseen: string): string {
  const code = unseen.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

export function visible(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(UNSEEN, numbered);
}
