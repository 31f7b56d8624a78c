import { createStore, del, entries, set, type UseStore } from "idb-keyval";
import type { KeyMessage } from "../core/core-protocol.js";

/**
 * The public part of an endpoint's secrets: the base address, whether there is a key, the names of the
 * extra headers, whether this device keeps the secrets, and whether it failed to.
 */
export interface KeyNote {
  readonly endpoint: string;
  readonly base: string;
  readonly keyed: boolean;
  readonly headers: readonly string[];
  readonly kept: boolean;
  readonly refused: boolean;
}

interface Key {
  /** "" for a key kept by an earlier version, which stored only the origin; such a key is not sent. */
  readonly base: string;
  /** "" for none. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A change of an endpoint's secrets: a new key, or a new value of an extra header; "" removes the key or header. */
export type KeyChange = { readonly key: string } | { readonly header: string; readonly value: string };

/** Returns the reason why a key is invalid, or null. The reason does not contain the key. */
export function keyFault(key: string): string | null {
  if (key === "") return "There is no key to set.";
  return /^[\x21-\x7e]+$/.test(key) ? null : "A key has no spaces and only ASCII characters; copy it again.";
}

/**
 * The keys and extra headers of endpoints. They exist only here and in the core's worker, not in the page's state
 * or its elements. This device keeps a key, in a separate database, only if the person asks for it.
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
          const known = { base: key.base ?? "", key: key.key, headers: key.headers ?? {} };
          this.#keys.set(endpoint, known);
          this.hand({ type: "key", endpoint, ...known });
        }
      } catch {
        // Storage is blocked, so there are none.
      }
      this.#notify();
    });
  }

  /** Passes every key to a new worker. */
  handAll(): void {
    for (const [endpoint, key] of this.#keys) this.hand({ type: "key", endpoint, ...key });
  }

  /**
   * Changes the secrets of an endpoint; they are sent only to addresses at base or below. Those for another
   * base are deleted.
   */
  give(endpoint: string, base: string, change: KeyChange, kept: boolean): void {
    const before = this.#keys.get(endpoint);
    const same = before?.base === base ? before : undefined;
    const headers = { ...same?.headers };
    if ("header" in change) {
      if (change.value === "") delete headers[change.header];
      else headers[change.header] = change.value;
    }
    const key = "key" in change ? change.key : (same?.key ?? "");
    if (base === "" || (key === "" && Object.keys(headers).length === 0)) {
      this.forget(endpoint);
      return;
    }
    this.#keys.set(endpoint, { base, key, headers });
    this.hand({ type: "key", endpoint, base, key, headers });
    const was = this.#kept.has(endpoint);
    const stays = kept || (same !== undefined && was);
    if (stays || was) this.keep(endpoint, stays);
    else this.#notify();
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

  /** Deletes the secrets of an endpoint everywhere. */
  forget(endpoint: string): void {
    this.#keys.delete(endpoint);
    this.hand({ type: "key", endpoint, base: "", key: "", headers: {} });
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
    this.#notify();
  }

  #notify(): void {
    this.changed(
      [...this.#keys].map(([endpoint, { base, key, headers }]) => ({
        endpoint,
        base,
        keyed: key !== "",
        headers: Object.keys(headers),
        kept: this.#kept.has(endpoint),
        refused: this.#refused.has(endpoint),
      })),
    );
  }

  #store(): UseStore {
    return (this.#database ??= createStore("stile-keys", "keys"));
  }
}
