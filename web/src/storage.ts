import { keptDrafts } from "./drafts.js";
import type { RunSettings } from "./run-form.js";
import type { Draft, Endpoint, Theme } from "./state.js";
import { get, set, update } from "idb-keyval";

// What this device remembers: drafts, the Run tab's choices, the endpoints (never
// a key: see keys.ts), and how the page was arranged. Where storage is forbidden nothing is remembered
// and nothing else fails; a write reports how it ended.

/** How a write ended; "silent": it has not ended after {@link PATIENCE}. */
export type Kept = "yes" | "full" | "blocked" | "silent";

/** Why something was not saved, as the end of a sentence. */
export const unsaved: Readonly<Record<Kept, string>> = {
  yes: "", full: "storage is full", blocked: "this browser blocks storage", silent: "storage does not answer",
};

/** How long storage may take, in milliseconds: a database on a slow disk opens in two seconds. */
export const PATIENCE = 5_000;

/** Reports how a write ends. One that ends after all calls `late`. */
export async function kept(work: () => Promise<unknown>, late?: (kept: Kept) => void): Promise<Kept> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<Kept>((resolve) => (timer = setTimeout(() => resolve("silent"), PATIENCE)));
  // A browser that blocks storage throws before there is a promise.
  const ended = (async (): Promise<Kept> => (await work(), "yes"))().catch((reason: unknown) => ((reason as Error | null)?.name === "QuotaExceededError" ? "full" : "blocked"));
  const first = await Promise.race([ended, silent]);
  clearTimeout(timer);
  if (first === "silent" && late !== undefined) void ended.then(late);
  return first;
}

/** Whether the database answers at all. */
export function answers(): Promise<Kept> {
  return kept(() => get("settings"));
}

/** Everything that is remembered of the workspaces but for the draft, which has a slot (draft-slot.ts). */
export interface Remembered {
  readonly drafts: readonly Draft[];
  readonly settings?: Partial<RunSettings>;
}

export async function recall(): Promise<Remembered> {
  try {
    const [drafts, settings] = await Promise.all([get<Draft[]>("drafts"), get<Partial<RunSettings>>("settings")]);
    return { drafts: drafts ?? [], ...(settings && { settings }) };
  } catch {
    return { drafts: [] };
  }
}

export function rememberDraft(slot: string, draft: Draft, late: (kept: Kept) => void): Promise<Kept> {
  return kept(() => set(slot, draft), late);
}

/** Keeps a draft at once, for a page that is left: a database would be too late. */
export function hurryDraft(slot: string, draft: Draft): void {
  rememberPlain(slot, JSON.stringify(draft));
}

/** What pages that were left kept so. */
export function hurriedDrafts(prefix: string): [string, Draft][] {
  const begin = `stile.${prefix}`;
  try {
    return Object.entries(localStorage).flatMap(([name, text]) => (name.startsWith(begin) ? [[name.slice("stile.".length), JSON.parse(String(text)) as Draft]] : []));
  } catch {
    return []; // the database may answer all the same
  }
}

export function forgetHurried(slot: string): void {
  try {
    localStorage.removeItem(`stile.${slot}`);
  } catch {
    // There is none, then.
  }
}

/** Adds earlier drafts to those that are remembered, whichever tab remembered them. */
export function addDrafts(drafts: readonly Draft[]): Promise<Kept> {
  return kept(() => update<readonly Draft[]>("drafts", (before) => keptDrafts([...drafts, ...(before ?? [])])));
}

/** Removes a draft that was saved at a time. */
export function removeDraft(savedAt: number): Promise<Kept> {
  return kept(() => update<readonly Draft[]>("drafts", (before) => (before ?? []).filter((d) => d.savedAt !== savedAt)));
}

export function rememberSettings({ agreed: _, ...settings }: RunSettings): Promise<Kept> {
  return kept(() => set("settings", settings));
}

export async function recallEndpoints(): Promise<readonly Endpoint[]> {
  try {
    return (await get<readonly Endpoint[]>("endpoints")) ?? [];
  } catch {
    return [];
  }
}

/** Changes what is remembered of the endpoints, whoever remembered it. */
export function changeEndpoints(f: (list: readonly Endpoint[]) => readonly Endpoint[]): Promise<Kept> {
  return kept(() => update<readonly Endpoint[]>("endpoints", (list) => f(list ?? [])));
}

export function recallTheme(): Theme {
  const theme = recallPlain("theme");
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function rememberPlain(name: string, value: string): void {
  try {
    localStorage.setItem(`stile.${name}`, value);
  } catch {
    // Not remembered, then.
  }
}

export function recallPlain(name: string): string | null {
  try {
    return localStorage.getItem(`stile.${name}`);
  } catch {
    return null;
  }
}

/** What this tab remembers until it is closed. */
export function rememberSession(name: string, value: string): void {
  try {
    sessionStorage.setItem(`stile.${name}`, value);
  } catch {
    // Not remembered, then.
  }
}

export function recallSession(name: string): string | null {
  try {
    return sessionStorage.getItem(`stile.${name}`);
  } catch {
    return null;
  }
}
