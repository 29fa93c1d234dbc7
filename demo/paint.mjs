// Colour, or none.

const CODES = { bold: [1, 22], dim: [2, 22], green: [32, 39], yellow: [33, 39], blue: [34, 39], magenta: [35, 39], cyan: [36, 39], red: [31, 39] };

/** Whether colour is welcome: a terminal, and nobody said no. */
export function wantsColour(stream, env) {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}

/** Functions by style; each gives the text as it is where colour is not welcome. */
export function palette(colour) {
  return Object.fromEntries(
    Object.entries(CODES).map(([name, [on, off]]) => [name, (text) => (colour && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text)]),
  );
}
