import { del, entries, get, set } from "idb-keyval";
import type { Draft } from "./state.js";
import { forgetHurried, hurriedDrafts, recallSession, rememberSession } from "./storage.js";

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

export async function claimSlot(): Promise<Slot> {
  const found = new Map<string, Draft>();
  try {
    const old = await get<Draft>(FIRST);
    if (old !== undefined) {
      await set(`${PREFIX}first`, old);
      await del(FIRST);
    }
    for (const [key, draft] of await entries<string, Draft>()) if (typeof key === "string" && key.startsWith(PREFIX)) found.set(key, draft);
    for (const [key, draft] of hurriedDrafts(PREFIX)) if (!((found.get(key)?.savedAt ?? 0) > draft.savedAt)) found.set(key, draft);
  } catch {
    return { key: `${PREFIX}${fresh()}`, left: [] }; // storage is forbidden
  }
  const newest = [...found].sort(([, a], [, b]) => b.savedAt - a.savedAt).map(([key]) => key);
  const mine = recallSession("slot");
  let key = "";
  for (const candidate of [...(mine === null ? [] : [mine]), ...newest]) {
    if (await hold(candidate)) {
      key = candidate;
      break;
    }
  }
  if (key === "") {
    key = `${PREFIX}${fresh()}`;
    await hold(key);
  }
  rememberSession("slot", key);
  const left: Draft[] = [];
  for (const other of newest) {
    const draft = found.get(other);
    if (other === key || draft === undefined || !(await free(other))) continue;
    left.push(draft);
    await del(other);
    forgetHurried(other);
  }
  const draft = found.get(key) ?? found.get(newest[0] ?? "");
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
