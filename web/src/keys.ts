import { createStore, del, entries, set, type UseStore } from "idb-keyval";
import type { KeyMessage } from "./core-protocol.js";

/** What the page may know of a key: whose it is, where it goes, and whether this device keeps it, or would not. */
export interface KeyNote {
  readonly endpoint: string;
  readonly base: string;
  readonly kept: boolean;
  readonly refused: boolean;
}

interface Key {
  /** "" where it was kept by an earlier version, which knew the origin only: it is not sent then. */
  readonly base: string;
  readonly key: string;
}

/** Says what is wrong with a key, or null. The key itself is not in what it says. */
export function keyFault(key: string): string | null {
  if (key === "") return "There is no key to set.";
  return /^[\x21-\x7e]+$/.test(key) ? null : "A key has neither spaces nor letters beyond ASCII; copy it anew.";
}

/**
 * The keys of endpoints. They are here and in the core's worker and nowhere else:
 * not in the page's state, not in its elements. This device keeps one only where
 * the person asked for that, in a database of its own.
 */
export class Keys {
  #keys = new Map<string, Key>();
  #kept = new Set<string>();
  /** Whose keys this device would not keep, or would not let go of. */
  #refused = new Set<string>();
  #database: UseStore | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(
    private readonly hand: (message: KeyMessage) => void,
    private readonly changed: (notes: readonly KeyNote[]) => void,
  ) {}

  /** Brings back what this device keeps. */
  recall(): void {
    this.#next(async () => {
      try {
        for (const [endpoint, key] of await entries<string, Partial<Key> & { readonly key: string }>(this.#store())) {
          this.#kept.add(endpoint);
          if (this.#keys.has(endpoint)) continue;
          const known = { base: key.base ?? "", key: key.key };
          this.#keys.set(endpoint, known);
          this.hand({ type: "key", endpoint, ...known });
        }
      } catch {
        // Storage is forbidden here, so nothing was kept.
      }
      this.#tell();
    });
  }

  /** Hands every key to a worker that knows none. */
  handAll(): void {
    for (const [endpoint, key] of this.#keys) this.hand({ type: "key", endpoint, ...key });
  }

  /** Takes a key for an endpoint; it will be sent to addresses at base or below and nowhere else. */
  give(endpoint: string, base: string, key: string, kept: boolean): void {
    this.#keys.set(endpoint, { base, key });
    this.hand({ type: "key", endpoint, base, key });
    if (kept || this.#kept.has(endpoint)) this.keep(endpoint, kept);
    else this.#tell();
  }

  /** Has this device keep a key, or keep it no longer. */
  keep(endpoint: string, kept: boolean): void {
    // What is wished for is shown at once; where it does not come true, that is said.
    this.#mark(endpoint, kept, false);
    this.#next(async () => {
      const key = this.#keys.get(endpoint);
      if (kept && key === undefined) return;
      try {
        await (kept ? set(endpoint, key, this.#store()) : del(endpoint, this.#store()));
      } catch {
        this.#mark(endpoint, !kept, true);
      }
    });
  }

  /** Forgets a key, everywhere. */
  forget(endpoint: string): void {
    this.#keys.delete(endpoint);
    this.hand({ type: "key", endpoint, base: "", key: "" });
    this.keep(endpoint, false);
  }

  /** Storage is changed in the order in which that was asked for. */
  #next(work: () => Promise<void>): void {
    this.#work = this.#work.then(work);
  }

  #mark(endpoint: string, kept: boolean, refused: boolean): void {
    if (kept) this.#kept.add(endpoint);
    else this.#kept.delete(endpoint);
    if (refused) this.#refused.add(endpoint);
    else this.#refused.delete(endpoint);
    this.#tell();
  }

  #tell(): void {
    this.changed([...this.#keys].map(([endpoint, { base }]) => ({ endpoint, base, kept: this.#kept.has(endpoint), refused: this.#refused.has(endpoint) })));
  }

  #store(): UseStore {
    return (this.#database ??= createStore("stile-keys", "keys"));
  }
}
