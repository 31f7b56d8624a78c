import { base64 } from "../core/base64.js";
import type { CoreClient } from "../core/core-client.js";
import type { Workspace } from "./state.js";
import type { File } from "../core/wire.js";

/** Larger files are not read; the core has the same limit. */
const MAX_BYTES = 8 << 20;
/** Milliseconds for a host to respond. */
const PATIENCE = 30_000;

/** The source of a workspace in the page's address. */
export interface Source {
  readonly address: URL;
  readonly gist: boolean;
}

/** Returns the source in `?url=` or `?gist=` of an address; null if there is none. The error is a sentence. */
export function sourceOf(search: string): Source | null {
  const params = new URLSearchParams(search);
  const [url, gist] = [params.get("url"), params.get("gist")];
  if (gist !== null) {
    const id = /(?:^|\/)([0-9a-f]{20,40})\/?(?:#.*)?$/i.exec(gist)?.[1];
    if (id === undefined) throw new Error("“?gist=” requires the number of a gist, or its address.");
    return { address: new URL(`https://api.github.com/gists/${id}`), gist: true };
  }
  if (url === null) return null;
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    throw new Error("“?url=” requires a full address that begins with https://.");
  }
  const here = ["localhost", "127.0.0.1"].includes(address.hostname);
  if (address.protocol !== "https:" && !(address.protocol === "http:" && here))
    throw new Error("A workspace can only be loaded from addresses that begin with https://.");
  if (address.username !== "" || address.password !== "")
    throw new Error("An address with a password in it is not loaded.");
  return { address: plain(address), gist: false };
}

/** Returns the address of the raw text for the address of a page about it. */
function plain(address: URL): URL {
  const file = /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/.exec(address.pathname);
  if (address.hostname === "github.com" && file !== null)
    return new URL(`https://raw.githubusercontent.com/${file[1]}/${file[2]}/${file[3]}`);
  return address;
}

/** Loads a workspace. The error is a sentence with a remedy. */
export async function fetchWorkspace(source: Source, core: CoreClient): Promise<Workspace> {
  const { address, gist } = source;
  const bytes = await read(address);
  const name = decodeURIComponent(address.pathname.split("/").pop() ?? "") || "workspace.txtar";
  if (!gist) {
    const { files, main } = await core.call("workspace.import", { name, base64: base64(bytes) });
    return { title: name, files, current: main };
  }
  const described = JSON.parse(new TextDecoder().decode(bytes)) as {
    description?: string;
    files?: Record<string, { filename?: string; content?: string; truncated?: boolean; raw_url?: string }>;
  };
  const files: File[] = [];
  let main = "";
  for (const file of Object.values(described.files ?? {})) {
    const whole =
      file.truncated === true && file.raw_url !== undefined
        ? await read(new URL(file.raw_url))
        : new TextEncoder().encode(file.content ?? "");
    const opened = await core.call("workspace.import", { name: file.filename ?? "gist.txtar", base64: base64(whole) });
    files.push(...opened.files.filter((f) => !files.some((g) => g.name === f.name)));
    if (main === "" || /\.(?:md|txt|json|ltl)$/.test(main)) main = opened.main;
  }
  if (files.length === 0) throw new Error("This gist has no files.");
  return {
    title:
      described.description === undefined || described.description === ""
        ? "A gist"
        : described.description.slice(0, 60),
    files,
    current: main,
  };
}

async function read(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response;
  try {
    response = await fetch(address, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === "TimeoutError")
      throw new Error(`${address.host} did not respond.`);
    throw new Error(
      navigator.onLine
        ? `${address.host} cannot be reached from a page, or does not allow pages to read its files (CORS). Save the file and open it here instead.`
        : "This device is offline.",
    );
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(
      response.status === 404
        ? `No file was found at ${address.href}.`
        : `${address.host} answered ${response.status}.`,
    );
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || value === undefined) break;
    size += value.length;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw new Error("The file is larger than 8 MiB and was not opened.");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
