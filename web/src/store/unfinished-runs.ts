import { createStore, entries, promisifyRequest, type UseStore } from "idb-keyval";
import type { Answer, RunLog, RunStartParams } from "../core/wire.js";

// Unfinished runs on this device, so that they can be resumed after a reload or a crash: the start
// of each, and its answers as they arrive. No key is among them. A page holds a lock for each run in
// progress; a run without a lock was interrupted.

/** An interrupted run. */
export interface KeptRun {
  readonly id: string;
  readonly startedAt: number;
  /** Title for the person. */
  readonly title: string;
  readonly kind: string;
  readonly params: RunStartParams;
  readonly log: RunLog;
}

type Head = Omit<KeptRun, "log"> & { readonly log: Omit<RunLog, "answers"> };

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore("stile-runs", "runs"));
const lockName = (id: string): string => `stile.run/${id}`;

/** Keeps a run until it ends. */
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

  /** Keeps more answers. The chunks of a stream are kept only with its end, because they are useless without it. */
  add(answers: readonly Answer[]): void {
    this.#waiting.push(...answers);
    if (answers.every((answer) => answer.chunk !== undefined)) return;
    const [piece, number] = [this.#waiting.splice(0), this.#pieces++];
    this.#then(() => put(`${this.id}/${String(number).padStart(6, "0")}`, piece));
  }

  /** Resolves once everything is kept. */
  kept(): Promise<void> {
    return this.#work;
  }

  /** Deletes the run at its end. */
  forget(): void {
    this.#then(() => forgetRun(this.id));
    this.release();
  }

  /** Marks the run as interrupted. */
  release(): void {
    this.#then(() => Promise.resolve(this.#unlock()));
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(() => {
      // If storage is blocked, nothing is kept, and everything else works.
    });
  }
}

/** Stores a value at once, also if the page is left immediately. */
function put(key: string, value: unknown): Promise<void> {
  return store()("readwrite", (runs) => {
    runs.put(value, key);
    runs.transaction.commit();
    return promisifyRequest(runs.transaction);
  });
}

/** Deletes a kept run. */
export async function forgetRun(id: string): Promise<void> {
  try {
    // In one transaction: a page that is left now keeps all of the run or nothing.
    await store()("readwrite", (runs) => {
      runs.delete(id);
      runs.delete(IDBKeyRange.bound(`${id}/`, `${id}0`, false, true)); // "0" comes right after "/"
      return promisifyRequest(runs.transaction);
    });
  } catch {
    // There is none.
  }
}

/**
 * Returns the interrupted runs, the latest first. If another page still holds the lock of a run, for example while
 * that page is being left, `released` is called once the lock is free.
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
