import { keptDrafts } from "./drafts.js";
import type { RunSettings } from "../run/run-form.js";
import type { Draft, Endpoint, Theme } from "./state.js";
import { get, set, update } from "idb-keyval";

// Storage on this device: drafts, the Run tab's settings, the endpoints (never a key: see
// api-keys.ts), and the layout of the page. If storage is blocked, nothing is stored and everything
// else works; writes report their result.

/** The result of a write; "silent": not finished after {@link PATIENCE}. */
export type Kept = "yes" | "full" | "blocked" | "silent";

/** The reason why something was not saved, as the end of a sentence. */
export const unsaved: Readonly<Record<Kept, string>> = {
  yes: "",
  full: "storage is full",
  blocked: "this browser blocks storage",
  silent: "storage does not respond",
};

/** Milliseconds for a storage operation: a database on a slow disk opens in two seconds. */
export const PATIENCE = 5_000;

/** Returns the result of a write. If it finishes after the limit, `late` is called. */
export async function kept(work: () => Promise<unknown>, late?: (kept: Kept) => void): Promise<Kept> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<Kept>((resolve) => (timer = setTimeout(() => resolve("silent"), PATIENCE)));
  // A browser that blocks storage throws before there is a promise.
  const ended = (async (): Promise<Kept> => (await work(), "yes"))().catch((reason: unknown) =>
    (reason as Error | null)?.name === "QuotaExceededError" ? "full" : "blocked",
  );
  const first = await Promise.race([ended, silent]);
  clearTimeout(timer);
  if (first === "silent" && late !== undefined) void ended.then(late);
  return first;
}

/** Reports whether the database responds. */
export function answers(): Promise<Kept> {
  return kept(() => get("settings"));
}

/** Everything stored about workspaces except the draft, which has a slot (draft-slot.ts). */
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

/** Stores a draft synchronously when the page is left: a database would be too late. */
export function hurryDraft(slot: string, draft: Draft): void {
  rememberPlain(slot, JSON.stringify(draft));
}

/** Returns the drafts stored synchronously. */
export function hurriedDrafts(prefix: string): [string, Draft][] {
  const begin = `stile.${prefix}`;
  try {
    return Object.entries(localStorage).flatMap(([name, text]) =>
      name.startsWith(begin) ? [[name.slice("stile.".length), JSON.parse(String(text)) as Draft]] : [],
    );
  } catch {
    return []; // the database may still respond
  }
}

export function forgetHurried(slot: string): void {
  try {
    localStorage.removeItem(`stile.${slot}`);
  } catch {
    // There is none.
  }
}

/** Adds earlier drafts to the stored ones, including those that other tabs stored. */
export function addDrafts(drafts: readonly Draft[]): Promise<Kept> {
  return kept(() => update<readonly Draft[]>("drafts", (before) => keptDrafts([...drafts, ...(before ?? [])])));
}

/** Removes the draft that was saved at a given time. */
export function removeDraft(savedAt: number): Promise<Kept> {
  return kept(() =>
    update<readonly Draft[]>("drafts", (before) => (before ?? []).filter((d) => d.savedAt !== savedAt)),
  );
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

/** Changes the stored endpoints, including changes that other tabs stored. */
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
    // Not stored.
  }
}

export function recallPlain(name: string): string | null {
  try {
    return localStorage.getItem(`stile.${name}`);
  } catch {
    return null;
  }
}

/** Stores a value until the tab is closed. */
export function rememberSession(name: string, value: string): void {
  try {
    sessionStorage.setItem(`stile.${name}`, value);
  } catch {
    // Not stored.
  }
}

export function recallSession(name: string): string | null {
  try {
    return sessionStorage.getItem(`stile.${name}`);
  } catch {
    return null;
  }
}
