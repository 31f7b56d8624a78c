// The requests that a person lets the tools of a workspace make. A workspace may come from
// anywhere, and names addresses and keys as it likes; so nothing is called, and no key is
// sent, before the person has seen the list and agreed.
import { isUnder } from "./address.js";
import type { File, HTTP, ToolRemoteCall } from "./wire.js";

/** Whether a request reads Wikipedia, which needs no consent: it carries no key and changes nothing. */
function isWikipedia(method: string, url: string, auth: string | undefined): boolean {
  return method === "GET" && !auth && URL.canParse(url) && /^https:\/\/[a-z-]+\.wikipedia\.org$/.test(new URL(url).origin);
}

/** Whether a tool's request is one that was agreed to. */
export function isAgreed({ method, url, auth }: Pick<HTTP, "method" | "url" | "auth">, agreed: readonly ToolRemoteCall[]): boolean {
  const name = auth?.startsWith("tool:") === true ? auth.slice("tool:".length) : auth;
  return isWikipedia(method, url, auth) || agreed.some((call) => (call.method === "*" || call.method === method) && (call.auth ?? "") === (name ?? "") && isUnder(url, call.address));
}

/** Whether all requests of a list were agreed to; undefined is a list that is not known yet, whose requests are judged one by one. */
export function allAgreed(calls: readonly ToolRemoteCall[] | undefined, agreed: readonly ToolRemoteCall[]): boolean {
  return calls === undefined || calls.every((call) => isWikipedia(call.method, call.address, call.auth) || agreed.some((a) => a.method === call.method && a.address === call.address && (a.auth ?? "") === (call.auth ?? "")));
}

/** The requests of a list that need consent. */
export function wanting(calls: readonly ToolRemoteCall[]): readonly ToolRemoteCall[] {
  return calls.filter((call) => !isWikipedia(call.method, call.address, call.auth));
}

/** How many workspaces this device remembers an agreement for. */
const MAX_KEPT = 50;
const KEPT = "stile.agreed";

interface Kept {
  readonly hash: string;
  readonly calls: readonly ToolRemoteCall[];
}

/**
 * Remembers an agreement for exactly these files. A workspace that differs in one letter
 * is another one: its agent may use the same addresses for something else.
 */
export async function rememberAgreed(files: readonly File[], calls: readonly ToolRemoteCall[]): Promise<void> {
  const hash = await hashOf(files);
  if (hash === "") return;
  const others = kept().filter((k) => k.hash !== hash);
  try {
    localStorage.setItem(KEPT, JSON.stringify([...others, ...(calls.length > 0 ? [{ hash, calls }] : [])].slice(-MAX_KEPT)));
  } catch {
    // Not remembered: the person is asked again.
  }
}

/** The requests that were agreed to for exactly these files. */
export async function recallAgreed(files: readonly File[]): Promise<readonly ToolRemoteCall[]> {
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
