import type { Playground } from "../store/playground.js";
import { saveText } from "./save-file.js";
import type { Run } from "../store/state.js";
import type { File } from "../core/wire.js";
import { sentence } from "../ui/text.js";

/** Returns the content of a link. With a run, it has the texts of that run, which a replay needs. */
export function shared(
  { store }: Playground,
  withRun: boolean,
): { readonly files: readonly File[]; readonly run: Run | null } {
  const { files, run } = store.state;
  return withRun && run?.log !== undefined ? { files: run.params.workspace.files, run } : { files, run: null };
}

/** Returns the link to the workspace. */
export async function share(playground: Playground, withRun: boolean): Promise<string> {
  const { files, run } = shared(playground, withRun);
  return linkOf(playground, files, run);
}

/** Returns a link to files, with a run if there is one. */
export async function linkOf(
  { core }: Pick<Playground, "core">,
  files: readonly File[],
  run: Run | null = null,
): Promise<string> {
  const { fragment } = await core.call("share.encode", { files: [...files], ...(run?.log && { log: run.log }) });
  const link = new URL(location.href);
  link.search = ""; // the query may name another workspace
  link.hash = fragment;
  return link.href;
}

/** Downloads the content of a link as a file. */
export async function saveShared(playground: Playground, withRun: boolean): Promise<void> {
  const { run } = shared(playground, withRun);
  if (run === null) return playground.saveArchive();
  const { recordingFile } = await import("../run/run-file.js");
  const file = recordingFile(run);
  if (file !== null) saveText(file.name, file.text, file.type);
}

/** Stores a link with the site's worker and returns the short link. The error is a sentence. */
export async function shorten({ assets }: Playground, link: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(`${assets.worker}/s`, {
      method: "POST",
      body: new URL(link).hash,
      headers: { "content-type": "text/plain" },
      credentials: "omit",
    });
  } catch {
    throw new Error("The worker that makes short links cannot be reached; the long link works without it.");
  }
  const answer = (await response.json().catch(() => ({}))) as { readonly url?: string; readonly message?: string };
  if (!response.ok || typeof answer.url !== "string")
    throw new Error(sentence(answer.message ?? `The worker that makes short links answered ${response.status}`));
  return answer.url;
}
