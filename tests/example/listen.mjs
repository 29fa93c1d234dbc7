// Listens to a stream of text, and waits until it says what a test expects.

/** More is a hang. In milliseconds. */
const LIMIT_MS = 20_000;

/** @param {import("node:stream").Readable} stream */
export function listen(stream) {
  let read = 0;
  let heard = () => {};
  const said = {
    text: "",
    /** Waits until the stream has said this since the last time; gives the match. Codes that move a cursor do not count. */
    async until(pattern) {
      const end = Date.now() + LIMIT_MS;
      for (;;) {
        const fresh = said.text.slice(read).replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, "");
        const match = pattern.exec(fresh);
        if (match !== null) {
          read = said.text.length;
          return match;
        }
        if (Date.now() > end) throw new Error(`it was never said ${pattern}, only: ${fresh}`);
        await new Promise((resolve) => {
          heard = resolve;
          setTimeout(resolve, 500).unref();
        });
      }
    },
  };
  stream.setEncoding("utf8");
  stream.on("data", (piece) => {
    said.text += piece;
    heard();
  });
  return said;
}
