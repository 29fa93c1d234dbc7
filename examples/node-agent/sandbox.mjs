// The folder that the tools may touch, and nothing outside of it.

import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * A path in the sandbox as an absolute one. A path that leads out is refused, also through a link.
 *
 * @param {string} folder @param {string} path as the model wrote it, relative to the folder
 */
export async function inSandbox(folder, path) {
  const root = await realpath(folder);
  const real = await followLinks(resolve(root, path));
  const inside = relative(root, real);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new Error(`${path} lies outside of the working folder`);
  }
  return real;
}

/** The path with every link followed; what does not exist yet is put behind its nearest folder. @param {string} path */
async function followLinks(path) {
  const missing = [];
  for (let known = path; ; known = dirname(known)) {
    try {
      return join(await realpath(known), ...missing);
    } catch (error) {
      if (!isMissing(error)) throw error;
      // A link to what does not exist: a write would make the file where the link points.
      if (await exists(known)) throw new Error(`${path} leads through a broken link`);
      missing.unshift(basename(known));
    }
  }
}

/** Whether something is there, be it a link that leads nowhere. @param {string} path */
async function exists(path) {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** @param {unknown} error */
const isMissing = (error) => /** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT";
