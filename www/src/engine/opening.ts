// Any file that the library reads, as a session.

import { init, loadTokenizer, Session } from "threadfold";
import { clipped } from "./rows.js";
import type { About, Choices, Source } from "../contract.js";
import { loadOptions } from "./settings.js";

export interface Opened {
  session: Session;
  about: About;
}

export async function openSource({ name, bytes, kind, format }: Source, choices: Choices): Promise<Opened> {
  await prepare(choices);
  const session = Session.import(bytes, { ...loadOptions(choices), format });
  await session.count();
  const { importReport, diagnostics } = session;
  const title = titleOf(session);
  const cwd = session.header?.cwd;
  return {
    session,
    about: {
      name: clipped(name),
      ...(title === undefined ? {} : { title }),
      ...(typeof cwd === "string" ? { cwd: clipped(cwd) } : {}),
      kind,
      format: importReport === undefined || importReport.unchanged ? "session" : importReport.format,
      bytes: bytes.length,
      diagnostics,
      ...(importReport === undefined || importReport.unchanged ? {} : { importReport }),
    },
  };
}

/** The same session counted in another way. */
export async function reload(session: Session, choices: Choices): Promise<Session> {
  await prepare(choices);
  const again = Session.fromJsonl(session.toJsonl(), loadOptions(choices));
  const { leafId } = session;
  if (leafId === null) again.resetLeaf();
  else again.branch(leafId);
  await again.count();
  return again;
}

async function prepare({ tokenizer }: Choices): Promise<void> {
  await init({ formats: true });
  if (tokenizer !== undefined) await loadTokenizer(tokenizer);
}

/** The title that the session gives itself, the newest one on the path. */
function titleOf(session: Session): string | undefined {
  const named = session.path().findLast((entry) => entry.type === "session_info" && typeof entry.name === "string");
  return named?.type === "session_info" ? clipped(named.name) : undefined;
}
