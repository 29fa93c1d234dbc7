// Plays the story in a process of its own, from wherever the session file says it is:
//
//   node child.mjs PROTOCOL BASE_URL FOLDER

import { openOn } from "../opening.mjs";
import { play } from "./play.mjs";

const [protocol, baseURL, folder] = process.argv.slice(2);
const opened = await openOn({ baseURL: { [protocol]: baseURL } }, protocol, folder);
await play(opened);
await opened.companion.flush();
opened.companion.dispose();
