import { createStore, entries, promisifyRequest, type UseStore } from "idb-keyval";
import type { Answer, RunLog, RunStartParams } from "./wire.js";

// What this device keeps of runs that are not over, so that they can be resumed
// after a reload or a crash: how each was started, and its answers as they come.
// No key is among them. While a page drives a run it holds a lock; a run without
// one was interrupted.

/** A run that was interrupted. */
export interface KeptRun {
  readonly id: string;
  readonly startedAt: number;
  /** In words, for the person: what was run. */
  readonly title: string;
  readonly kind: string;
  readonly params: RunStartParams;
  readonly log: RunLog;
}

type Head = Omit<KeptRun, "log"> & { readonly log: Omit<RunLog, "answers"> };

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore("stile-runs", "runs"));
const lockName = (id: string): string => `stile.run/${id}`;

/** Keeps one run for as long as it is not over. */
export class RunKeeper {
  readonly id = crypto.randomUUID();
  #work: Promise<void> = Promise.resolve();
  #unlock: () => void = () => {};
  #pieces = 0;
  #waiting: Answer[] = [];

  constructor(head: Omit<Head, "id">) {
    void navigator.locks?.request(lockName(this.id), () => new Promise<void>((resolve) => (this.#unlock = resolve)));
    this.#then(() => put(this.id, { ...head, id: this.id } satisfies Head));
  }

  /** Keeps more answers. The beginning of a stream waits for its end, for without it it is of no use. */
  add(answers: readonly Answer[]): void {
    this.#waiting.push(...answers);
    if (answers.every((answer) => answer.chunk !== undefined)) return;
    const [piece, number] = [this.#waiting.splice(0), this.#pieces++];
    this.#then(() => put(`${this.id}/${String(number).padStart(6, "0")}`, piece));
  }

  /** Resolves once all that was given is kept. */
  kept(): Promise<void> {
    return this.#work;
  }

  /** The run is over. */
  forget(): void {
    this.#then(() => forgetRun(this.id));
    this.release();
  }

  /** From now on the run counts as interrupted. */
  release(): void {
    this.#then(() => Promise.resolve(this.#unlock()));
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(() => {
      // Where storage is forbidden nothing is kept, and nothing else fails.
    });
  }
}

/** Puts a value in at once, also where the page is left the next moment. */
function put(key: string, value: unknown): Promise<void> {
  return store()("readwrite", (runs) => {
    runs.put(value, key);
    runs.transaction.commit();
    return promisifyRequest(runs.transaction);
  });
}

/** Forgets a run that was kept. */
export async function forgetRun(id: string): Promise<void> {
  try {
    // In one step: whoever leaves now finds the whole run again, or nothing of it.
    await store()("readwrite", (runs) => {
      runs.delete(id);
      runs.delete(IDBKeyRange.bound(`${id}/`, `${id}0`, false, true)); // "0" comes right after "/"
      return promisifyRequest(runs.transaction);
    });
  } catch {
    // It is not there, then.
  }
}

/**
 * The runs that were interrupted, the latest first. Where one is still driven, be it by
 * a page that is just being left, it is said once it no longer is.
 */
export async function interruptedRuns(released: () => void): Promise<readonly KeptRun[]> {
  try {
    const all = new Map(await entries<string, unknown>(store()));
    const locks = new Set(((await navigator.locks?.query())?.held ?? []).map((lock) => lock.name));
    const known = [...all].filter(([key]) => !key.includes("/")).map(([, head]) => head as Head);
    for (const { id } of known.filter((head) => locks.has(lockName(head.id)))) {
      void navigator.locks.request(lockName(id), { mode: "shared" }, () => {}).then(released, () => {});
    }
    const heads = known.filter((head) => !locks.has(lockName(head.id)));
    heads.sort((a, b) => b.startedAt - a.startedAt);
    return heads.map((head) => {
      const pieces = [...all].filter(([key]) => key.startsWith(`${head.id}/`)).sort(([a], [b]) => (a < b ? -1 : 1));
      return { ...head, log: { ...head.log, answers: pieces.flatMap(([, piece]) => piece as Answer[]) } };
    });
  } catch {
    return [];
  }
}
