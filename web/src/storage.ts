import { keptDrafts } from "./drafts.js";
import type { RunSettings } from "./run-form.js";
import type { Draft, Endpoint, Theme } from "./state.js";
import { get, set, update } from "idb-keyval";

// What this device remembers: drafts, the Run tab's choices, the endpoints (never
// a key: see keys.ts), and how the page was arranged. Where storage is forbidden nothing is remembered
// and nothing else fails.

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

export async function rememberDraft(slot: string, draft: Draft): Promise<boolean> {
  return kept(set(slot, draft));
}

/** Keeps a draft at once, for a page that is left: a database would be too late. */
export function hurryDraft(slot: string, draft: Draft): void {
  rememberPlain(slot, JSON.stringify(draft));
}

/** What pages that were left kept so. */
export function hurriedDrafts(prefix: string): [string, Draft][] {
  const begin = `stile.${prefix}`;
  return Object.entries(localStorage).flatMap(([name, text]) => (name.startsWith(begin) ? [[name.slice("stile.".length), JSON.parse(String(text)) as Draft]] : []));
}

export function forgetHurried(slot: string): void {
  try {
    localStorage.removeItem(`stile.${slot}`);
  } catch {
    // There is none, then.
  }
}

/** Adds earlier drafts to those that are remembered, whichever tab remembered them. */
export async function addDrafts(drafts: readonly Draft[]): Promise<boolean> {
  return kept(update<readonly Draft[]>("drafts", (before) => keptDrafts([...drafts, ...(before ?? [])])));
}

export async function rememberSettings(settings: RunSettings): Promise<boolean> {
  return kept(set("settings", settings));
}

export async function recallEndpoints(): Promise<readonly Endpoint[]> {
  try {
    return (await get<readonly Endpoint[]>("endpoints")) ?? [];
  } catch {
    return [];
  }
}

/** Changes what is remembered of the endpoints, whoever remembered it. */
export async function changeEndpoints(f: (list: readonly Endpoint[]) => readonly Endpoint[]): Promise<boolean> {
  return kept(update<readonly Endpoint[]>("endpoints", (list) => f(list ?? [])));
}

async function kept(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
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
