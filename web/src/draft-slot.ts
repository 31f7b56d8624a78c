import { del, entries, get, set } from "idb-keyval";
import type { Draft } from "./state.js";
import { addDrafts, forgetHurried, hurriedDrafts, kept, recallSession, rememberSession } from "./storage.js";

// Each tab keeps its draft in a slot of its own, so that two tabs never write over
// each other. A slot is held by a lock for as long as its tab lives; one that nobody
// holds is taken up by the next tab.

const PREFIX = "draft:";
/** Where the only draft was before there were slots. */
const FIRST = "draft";

/** What a tab begins with. */
export interface Slot {
  readonly key: string;
  /** What is in it, or a copy of what another tab works on. */
  readonly draft?: Draft;
  /** What tabs that are gone left behind. */
  readonly left: readonly Draft[];
}

/** Claims a slot for this tab; where the database is silent a new one, for no other may be written over. */
export async function claimSlot(silent: boolean): Promise<Slot> {
  if (silent) return { key: `${PREFIX}${fresh()}`, left: [] };
  const found = new Map<string, Draft>();
  try {
    const old = await get<Draft>(FIRST);
    if (old !== undefined) {
      await set(`${PREFIX}first`, old);
      await del(FIRST);
    }
    for (const [key, draft] of await entries<string, Draft>()) if (typeof key === "string" && key.startsWith(PREFIX)) found.set(key, draft);
  } catch {
    // The database is blocked; what pages that were left kept elsewhere may be there.
  }
  for (const [key, draft] of hurriedDrafts(PREFIX)) if ((found.get(key)?.savedAt ?? 0) <= draft.savedAt) found.set(key, draft);
  const newest = [...found].sort(([, a], [, b]) => b.savedAt - a.savedAt);
  let key = "";
  // One that was never there before is free.
  for (key of [recallSession("slot") ?? [], newest.map(([other]) => other), `${PREFIX}${fresh()}`].flat()) if (await hold(key)) break;
  rememberSession("slot", key);
  const left: Draft[] = [];
  for (const [other, draft] of newest) {
    if (other === key || !(await free(other))) continue;
    left.push(draft);
    // Where there is no room to put it aside it stays where it is.
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

/** Holds a slot until the tab ends. Without locks every tab has every slot, as there is no telling. */
async function hold(key: string): Promise<boolean> {
  const manager = locks();
  if (manager === undefined) return true;
  return new Promise((resolve) => {
    manager.request(`stile-${key}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise<void>(() => {});
    }).catch(() => resolve(true));
  });
}

async function free(key: string): Promise<boolean> {
  const held = await locks()?.query().catch(() => undefined);
  return held?.held?.some((lock) => lock.name === `stile-${key}`) === false;
}
