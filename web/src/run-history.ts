// The finished runs that this device keeps, so that they are there after a reload. Each
// is its beginning and its recording; no key is among them. What is listed of a run is
// apart from the run, so that a list reads no recordings.
import { createStore, promisifyRequest, type UseStore } from "idb-keyval";
import type { RunKind } from "./state.js";
import { kept, type Kept } from "./storage.js";
import type { RunLog, RunStartParams } from "./wire.js";

/** What is listed of a run. */
export interface FinishedRun {
  readonly id: string;
  /** The title of its workspace. */
  readonly title: string;
  /** The file that was run. */
  readonly name: string;
  readonly kind: RunKind;
  readonly at: number;
  /** How it ended, in words. */
  readonly outcome: string;
  /** The model that was asked, "" where none was. */
  readonly model: string;
  readonly calls: number;
  readonly bytes: number;
  readonly pinned: boolean;
}

/** A run as it plays again. */
export interface Recorded {
  readonly params: Omit<RunStartParams, "log">;
  readonly log: RunLog;
}

/**
 * How many bytes of runs are kept that are not pinned: a plan takes some 20 KB, the run
 * of a team with tools 1 MB, and browsers give each site hundreds of MB.
 */
export const MAX_BYTES = 20 << 20;

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore("stile-history", "runs"));
const heads = (runs: IDBObjectStore): Promise<FinishedRun[]> => promisifyRequest(runs.getAll(IDBKeyRange.bound("head/", "head0", false, true)) as IDBRequest<FinishedRun[]>); // "0" comes right after "/"

/** The runs that have no room next to newer ones. The newest always has. */
export function overLimit(runs: readonly FinishedRun[], limit = MAX_BYTES): readonly FinishedRun[] {
  let bytes = 0;
  return runs.filter((run) => !run.pinned).sort((a, b) => b.at - a.at).filter((run, i) => (bytes += run.bytes) > limit && i > 0);
}

function remove(runs: IDBObjectStore, list: readonly FinishedRun[]): void {
  for (const { id } of list) {
    runs.delete(`head/${id}`);
    runs.delete(`run/${id}`);
  }
}

/** The runs that are kept, and those who want to know of a change. */
class RunHistory extends EventTarget {
  /** The newest first; null before they were read. */
  list: readonly FinishedRun[] | null = null;

  /** Reads the list again: another tab may have changed it. */
  async read(): Promise<void> {
    await kept(() => store()("readonly", async (runs) => this.#tell(await heads(runs))));
  }

  /** Keeps a run and returns how that ended, and which older ones had to go for it. */
  async keep(run: FinishedRun, recorded: Recorded): Promise<{ readonly kept: Kept; readonly dropped: readonly FinishedRun[] }> {
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

  /** The recording of a run; undefined where it is not kept any more. */
  async recorded(id: string): Promise<Recorded | undefined> {
    let found: Recorded | undefined;
    await kept(() => store()("readonly", async (runs) => void (found = await promisifyRequest(runs.get(`run/${id}`) as IDBRequest<Recorded | undefined>))));
    return found;
  }

  /** Changes what is kept in one step. */
  #change(change: (runs: IDBObjectStore, list: readonly FinishedRun[]) => void): Promise<Kept> {
    return kept(() => store()("readwrite", async (runs) => {
      const { transaction } = runs;
      const done = promisifyRequest(transaction);
      done.catch(() => {}); // it is awaited below, where nothing has failed before
      try {
        change(runs, await heads(runs));
        const list = await heads(runs);
        transaction.commit(); // at once, for a page that is being left
        await done;
        this.#tell(list);
      } catch (reason) {
        // All or nothing; a transaction that has failed says why better than what it took along.
        if (transaction.error !== null) throw transaction.error;
        transaction.abort();
        throw reason;
      }
    }));
  }

  #tell(list: readonly FinishedRun[]): void {
    this.list = [...list].sort((a, b) => b.at - a.at);
    this.dispatchEvent(new Event("change"));
  }
}

export const history = new RunHistory();
