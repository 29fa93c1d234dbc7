// Messages of the library as sentences: they begin small, for what stands before them.

export function sentence(message: string): string {
  const text = message.trim();
  if (text === "") return "";
  // An address or a name stays as it is.
  const begun = text.replace(/^[a-z]+(?=[\s,])/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${begun}${/[.!?…:]["”')]?$/.test(text) ? "" : "."}`;
}
