import { base64 } from "../core/base64.js";
import type { CoreClient } from "../core/core-client.js";
import type { File as WorkFile } from "../core/wire.js";

/** Larger files are not read; the core has the same limit. */
export const MAX_FILE = 8 << 20;

/** Reads specs, texts or an archive of them; keeps the first of files with equal names. The error is a sentence. */
export async function importFiles(core: CoreClient, list: readonly File[]): Promise<readonly WorkFile[]> {
  const files: WorkFile[] = [];
  for (const file of list) {
    if (file.size > MAX_FILE) throw new Error(`“${file.name}” is larger than 8 MiB and was not opened.`);
    const opened = await core.call("workspace.import", {
      name: file.name,
      base64: base64(await file.arrayBuffer()),
    });
    for (const f of opened.files) {
      const same = files.find((g) => g.name === f.name);
      if (same === undefined) files.push(f);
      else if (same.text !== f.text) throw new Error(`Two different files are named “${f.name}”; nothing was opened.`);
    }
  }
  return withoutSharedFolder(inProblemFolders(files));
}

/** Shortens the names of files that are all in one folder, unless it is that of a problem. */
function withoutSharedFolder(files: readonly WorkFile[]): readonly WorkFile[] {
  const first = files[0]?.name ?? "";
  const folder = first.slice(0, first.indexOf("/") + 1);
  if (folder === "" || folder.endsWith(".problem/") || files.some((f) => !f.name.startsWith(folder))) return files;
  return files.map((f) => ({ ...f, name: f.name.slice(folder.length) }));
}

/** Moves a problem's files that were chosen without their folder, or in another one, into a folder for a problem. */
function inProblemFolders(files: readonly WorkFile[]): readonly WorkFile[] {
  return files.map((file) => {
    const folder = file.name.slice(0, file.name.lastIndexOf("/") + 1);
    const has = (name: string): boolean => files.some((f) => f.name === folder + name);
    if (!has("task.md") || !has("query.md") || folder.endsWith(".problem/")) return file;
    return { ...file, name: `${folder.slice(0, -1) || "opened"}.problem/${file.name.slice(folder.length)}` };
  });
}
