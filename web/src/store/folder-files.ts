// Reads folders that are dropped on the page.

/** The maximum number of files that are read; no workspace has as many. */
const maxFiles = 500;

/** Returns the files of dropped files and folders, named by their paths; those that begin with a dot are skipped. */
export async function folderFiles(entries: readonly (FileSystemEntry | null)[]): Promise<readonly File[]> {
  const files: File[] = [];
  const open = [...entries];
  for (let entry = open.shift(); open.length > 0 || entry !== undefined; entry = open.shift()) {
    if (entry === null || entry === undefined || entry.name.startsWith(".")) continue;
    if (entry.isDirectory) open.push(...(await children(entry as FileSystemDirectoryEntry)));
    else files.push(await named(entry as FileSystemFileEntry));
    if (files.length > maxFiles) throw new Error(`A folder may have at most ${maxFiles} files.`);
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the entries of a folder. Its reader returns them in several parts, until a part is empty. */
async function children(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (part.length === 0) return all;
    all.push(...part);
  }
}

async function named(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((done, fail) => entry.file(done, fail));
  return new File([file], entry.fullPath.replace(/^\/+/, ""));
}
