// Consent to requests of a workspace's tools. A workspace may come from anywhere and name any
// address and key. Therefore nothing is called, and no key is sent, before the person has seen
// the list and agreed.
import { isUnder } from "../models/address.js";
import type { File, HTTP, ToolAgenttoolsRemoteCall } from "./wire.js";

/** Reports whether a request reads Wikipedia. It needs no consent: it carries no key and changes nothing. */
function isWikipedia(method: string, url: string, auth: string | undefined): boolean {
  return (
    method === "GET" && !auth && URL.canParse(url) && /^https:\/\/[a-z-]+\.wikipedia\.org$/.test(new URL(url).origin)
  );
}

/** Reports whether the person agreed to a tool's request. */
export function isAgreed(
  { method, url, auth }: Pick<HTTP, "method" | "url" | "auth">,
  agreed: readonly ToolAgenttoolsRemoteCall[],
): boolean {
  const name = auth?.startsWith("tool:") === true ? auth.slice("tool:".length) : auth;
  return (
    isWikipedia(method, url, auth) ||
    agreed.some(
      (call) =>
        (call.method === "*" || call.method === method) &&
        (call.auth ?? "") === (name ?? "") &&
        isUnder(url, call.address),
    )
  );
}

/**
 * Reports whether the person agreed to all requests of a list. If the list is not known yet
 * (undefined), the worker judges each request.
 */
export function allAgreed(
  calls: readonly ToolAgenttoolsRemoteCall[] | undefined,
  agreed: readonly ToolAgenttoolsRemoteCall[],
): boolean {
  return (
    calls === undefined ||
    calls.every(
      (call) =>
        isWikipedia(call.method, call.address, call.auth) ||
        agreed.some(
          (a) => a.method === call.method && a.address === call.address && (a.auth ?? "") === (call.auth ?? ""),
        ),
    )
  );
}

/** Returns the requests of a list that need consent. */
export function wanting(calls: readonly ToolAgenttoolsRemoteCall[]): readonly ToolAgenttoolsRemoteCall[] {
  return calls.filter((call) => !isWikipedia(call.method, call.address, call.auth));
}

/** The maximum number of workspaces for which this device remembers consent. */
const MAX_KEPT = 50;
const KEPT = "stile.agreed";

interface Kept {
  readonly hash: string;
  readonly calls: readonly ToolAgenttoolsRemoteCall[];
}

/**
 * Remembers consent for exactly these files. A changed workspace needs consent again, because it may
 * use the same addresses for another purpose.
 */
export async function rememberAgreed(
  files: readonly File[],
  calls: readonly ToolAgenttoolsRemoteCall[],
): Promise<void> {
  const hash = await hashOf(files);
  if (hash === "") return;
  const others = kept().filter((k) => k.hash !== hash);
  try {
    localStorage.setItem(
      KEPT,
      JSON.stringify([...others, ...(calls.length > 0 ? [{ hash, calls }] : [])].slice(-MAX_KEPT)),
    );
  } catch {
    // Not remembered: the person is asked again.
  }
}

/** Returns the requests that the person agreed to for exactly these files. */
export async function recallAgreed(files: readonly File[]): Promise<readonly ToolAgenttoolsRemoteCall[]> {
  const all = kept();
  if (all.length === 0) return [];
  const hash = await hashOf(files);
  return all.find((k) => k.hash === hash)?.calls ?? [];
}

function kept(): readonly Kept[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(read) ? (read as Kept[]) : [];
  } catch {
    return [];
  }
}

async function hashOf(files: readonly File[]): Promise<string> {
  if (globalThis.crypto?.subtle === undefined) return "";
  const text = JSON.stringify(files.map(({ name, text }) => [name, text]).sort());
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
