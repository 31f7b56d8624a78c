import { del, entries, get, set } from "idb-keyval";
import type { Draft } from "./state.js";
import { addDrafts, forgetHurried, hurriedDrafts, kept, recallSession, rememberSession } from "./storage.js";

// Each tab keeps its draft in its own slot, so that two tabs never overwrite each other. A lock
// holds a slot while its tab lives; the next tab takes a free one.

const PREFIX = "draft:";
/** The key under which earlier versions, without slots, stored their only draft. */
const FIRST = "draft";

/** The initial state of a tab. */
export interface Slot {
  readonly key: string;
  /** The slot's draft, or a copy of another tab's. */
  readonly draft?: Draft;
  /** Drafts of closed tabs. */
  readonly left: readonly Draft[];
}

/** Claims a slot for this tab; a new slot if the database does not respond, so that no draft is overwritten. */
export async function claimSlot(silent: boolean): Promise<Slot> {
  if (silent) return { key: `${PREFIX}${fresh()}`, left: [] };
  const found = new Map<string, Draft>();
  try {
    const old = await get<Draft>(FIRST);
    if (old !== undefined) {
      await set(`${PREFIX}first`, old);
      await del(FIRST);
    }
    for (const [key, draft] of await entries<string, Draft>())
      if (typeof key === "string" && key.startsWith(PREFIX)) found.set(key, draft);
  } catch {
    // The database is blocked; drafts of closed pages may be in other storage.
  }
  for (const [key, draft] of hurriedDrafts(PREFIX))
    if ((found.get(key)?.savedAt ?? 0) <= draft.savedAt) found.set(key, draft);
  const newest = [...found].sort(([, a], [, b]) => b.savedAt - a.savedAt);
  let key = "";
  // A new key is free.
  for (key of [recallSession("slot") ?? [], newest.map(([other]) => other), `${PREFIX}${fresh()}`].flat())
    if (await hold(key)) break;
  rememberSession("slot", key);
  const left: Draft[] = [];
  for (const [other, draft] of newest) {
    if (other === key || !(await free(other))) continue;
    left.push(draft);
    // If there is no room for the draft among the earlier ones, it stays in its slot.
    if (draft.edited && (await addDrafts([draft])) !== "yes") continue;
    await kept(() => del(other));
    forgetHurried(other);
  }
  const draft = found.get(key) ?? newest[0]?.[1];
  return { key, left, ...(draft && { draft }) };
}

function fresh(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}

const locks = (): LockManager | undefined => (navigator as { locks?: LockManager }).locks;

/** Holds a slot until the tab is closed; returns false if another tab holds it. Without locks it returns true. */
async function hold(key: string): Promise<boolean> {
  const manager = locks();
  if (manager === undefined) return true;
  return new Promise((resolve) => {
    manager
      .request(`stile-${key}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>(() => {});
      })
      .catch(() => resolve(true));
  });
}

async function free(key: string): Promise<boolean> {
  const held = await locks()
    ?.query()
    .catch(() => undefined);
  return held?.held?.some((lock) => lock.name === `stile-${key}`) === false;
}
