// The finished runs on this device, so that they survive a reload. Each consists of its start and
// its recording; no key is among them. The list entries are stored separately, so that a list reads
// no recordings.
import { createStore, promisifyRequest, type UseStore } from "idb-keyval";
import type { RunKind } from "./state.js";
import { kept, type Kept } from "./storage.js";
import type { RunLog, RunStartParams } from "../core/wire.js";

/** The list entry of a run. */
export interface FinishedRun {
  readonly id: string;
  /** Title of its workspace. */
  readonly title: string;
  /** Name of its file. */
  readonly name: string;
  readonly kind: RunKind;
  readonly at: number;
  /** Its outcome in words. */
  readonly outcome: string;
  /** Its model, or "". */
  readonly model: string;
  readonly calls: number;
  readonly bytes: number;
  readonly pinned: boolean;
}

/** A run to replay. */
export interface Recorded {
  readonly params: Omit<RunStartParams, "log">;
  readonly log: RunLog;
}

/**
 * The maximum size of the kept unpinned runs, in bytes. A plan takes about 20 KB, a team's run with tools 1 MB;
 * browsers give each site hundreds of MB.
 */
export const MAX_BYTES = 20 << 20;

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore("stile-history", "runs"));
const heads = (runs: IDBObjectStore): Promise<FinishedRun[]> =>
  promisifyRequest(runs.getAll(IDBKeyRange.bound("head/", "head0", false, true)) as IDBRequest<FinishedRun[]>); // "0" comes right after "/"

/** Returns the oldest runs beyond the limit. The newest run is never among them. */
export function overLimit(runs: readonly FinishedRun[], limit = MAX_BYTES): readonly FinishedRun[] {
  let bytes = 0;
  return runs
    .filter((run) => !run.pinned)
    .sort((a, b) => b.at - a.at)
    .filter((run, i) => (bytes += run.bytes) > limit && i > 0);
}

function remove(runs: IDBObjectStore, list: readonly FinishedRun[]): void {
  for (const { id } of list) {
    runs.delete(`head/${id}`);
    runs.delete(`run/${id}`);
  }
}

/** The kept runs, with change events. */
class RunHistory extends EventTarget {
  /** The newest first; null before they are read. */
  list: readonly FinishedRun[] | null = null;

  /** Reads the list again, because another tab may have changed it. */
  async read(): Promise<void> {
    await kept(() => store()("readonly", async (runs) => this.#notify(await heads(runs))));
  }

  /** Keeps a run; returns the state of the write and the removed older runs. */
  async keep(
    run: FinishedRun,
    recorded: Recorded,
  ): Promise<{ readonly kept: Kept; readonly dropped: readonly FinishedRun[] }> {
    let over: readonly FinishedRun[] = [];
    const ended = await this.#change((runs, list) => {
      over = overLimit([run, ...list]);
      remove(runs, over);
      runs.put(recorded, `run/${run.id}`);
      runs.put(run, `head/${run.id}`);
    });
    return { kept: ended, dropped: ended === "yes" ? over : [] };
  }

  pin(run: FinishedRun, pinned: boolean): Promise<Kept> {
    return this.#change((runs) => void runs.put({ ...run, pinned }, `head/${run.id}`));
  }

  delete(list: readonly FinishedRun[]): Promise<Kept> {
    return this.#change((runs) => remove(runs, list));
  }

  /** Returns the recording of a run; undefined if it is no longer kept. */
  async recorded(id: string): Promise<Recorded | undefined> {
    let found: Recorded | undefined;
    await kept(() =>
      store()(
        "readonly",
        async (runs) =>
          void (found = await promisifyRequest(runs.get(`run/${id}`) as IDBRequest<Recorded | undefined>)),
      ),
    );
    return found;
  }

  /** Changes the store in one transaction. */
  #change(change: (runs: IDBObjectStore, list: readonly FinishedRun[]) => void): Promise<Kept> {
    return kept(() =>
      store()("readwrite", async (runs) => {
        const { transaction } = runs;
        const done = promisifyRequest(transaction);
        done.catch(() => {}); // the promise is awaited below, unless the change fails first
        try {
          change(runs, await heads(runs));
          const list = await heads(runs);
          transaction.commit(); // at once, in case the page is being left
          await done;
          this.#notify(list);
        } catch (reason) {
          // All or nothing; a failed transaction gives a better reason than its requests.
          if (transaction.error !== null) throw transaction.error;
          transaction.abort();
          throw reason;
        }
      }),
    );
  }

  #notify(list: readonly FinishedRun[]): void {
    this.list = [...list].sort((a, b) => b.at - a.at);
    this.dispatchEvent(new Event("change"));
  }
}

export const history = new RunHistory();
