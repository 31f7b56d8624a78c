import { createStore, del, entries, set, type UseStore } from "idb-keyval";
import type { KeyMessage } from "../core/core-protocol.js";

/**
 * The public part of a key: its endpoint, its base address, and whether this device keeps it or
 * refused to.
 */
export interface KeyNote {
  readonly endpoint: string;
  readonly base: string;
  readonly kept: boolean;
  readonly refused: boolean;
}

interface Key {
  /** "" for a key kept by an earlier version, which stored only the origin: it is not sent. */
  readonly base: string;
  readonly key: string;
}

/** Returns the reason why a key is invalid, or null. The reason does not contain the key. */
export function keyFault(key: string): string | null {
  if (key === "") return "There is no key to set.";
  return /^[\x21-\x7e]+$/.test(key) ? null : "A key has no spaces and only ASCII characters; copy it again.";
}

/**
 * The keys of endpoints. They exist only here and in the core's worker, not in the page's state or its
 * elements. This device keeps a key only if the person asks for it, in a separate database.
 */
export class Keys {
  #keys = new Map<string, Key>();
  #kept = new Set<string>();
  /** Endpoints whose keys this device failed to keep or to delete. */
  #refused = new Set<string>();
  #database: UseStore | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(
    private readonly hand: (message: KeyMessage) => void,
    private readonly changed: (notes: readonly KeyNote[]) => void,
  ) {}

  /** Loads the keys that this device keeps. */
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
        // Storage is blocked, so there are none.
      }
      this.#tell();
    });
  }

  /** Passes every key to a new worker. */
  handAll(): void {
    for (const [endpoint, key] of this.#keys) this.hand({ type: "key", endpoint, ...key });
  }

  /** Sets the key of an endpoint; it is sent only to addresses at base or below. */
  give(endpoint: string, base: string, key: string, kept: boolean): void {
    this.#keys.set(endpoint, { base, key });
    this.hand({ type: "key", endpoint, base, key });
    if (kept || this.#kept.has(endpoint)) this.keep(endpoint, kept);
    else this.#tell();
  }

  /** Starts or stops keeping a key on this device. */
  keep(endpoint: string, kept: boolean): void {
    // Shows the choice at once; a failure is reported later.
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

  /** Deletes a key everywhere. */
  forget(endpoint: string): void {
    this.#keys.delete(endpoint);
    this.hand({ type: "key", endpoint, base: "", key: "" });
    this.keep(endpoint, false);
  }

  /** Runs storage changes in the order of the requests. */
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
    this.changed(
      [...this.#keys].map(([endpoint, { base }]) => ({
        endpoint,
        base,
        kept: this.#kept.has(endpoint),
        refused: this.#refused.has(endpoint),
      })),
    );
  }

  #store(): UseStore {
    return (this.#database ??= createStore("stile-keys", "keys"));
  }
}
