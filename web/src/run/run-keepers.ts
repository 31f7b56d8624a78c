import { isKept } from "./run-finish.js";
import type { RunUpdate } from "../core/core-protocol.js";
import type { Run } from "../store/state.js";
import { forgetRun, RunKeeper } from "../store/unfinished-runs.js";

/** The unfinished runs that this device keeps. */
export class RunKeepers {
  #keepers = new Map<number, RunKeeper>();
  #replaced = new Map<number, string>();

  constructor(
    /** Lists the unfinished runs again. */
    private readonly recall: () => void,
  ) {}

  /** Records that a new run replaces a kept one, which is forgotten once the new run is kept. */
  replace(run: number, id: string): void {
    this.#replaced.set(run, id);
  }

  /** Forgets the answers of a run that the page has dropped. */
  forget(run: number): void {
    this.#keepers.get(run)?.forget();
  }

  /** Stops keeping a run and returns the id of its answers so far, which stay. */
  take(run: number): string | undefined {
    const id = this.#keepers.get(run)?.id;
    this.#keepers.delete(run);
    return id;
  }

  /** Keeps new answers of a run on this device until it ends. */
  keep(run: Run, update: RunUpdate, over: boolean): RunKeeper | undefined {
    let keeper = this.#keepers.get(run.number);
    if (keeper === undefined && update.log !== undefined && !run.replay && !over && run.kind !== "prove") {
      const { log: _, ...params } = run.params;
      const { answers: __, ...log } = update.log;
      keeper = new RunKeeper({ startedAt: Date.now(), title: run.name, kind: run.kind, params, log });
      this.#keepers.set(run.number, keeper);
    }
    if (update.log !== undefined) keeper?.add(update.log.answers);
    const replaced = this.#replaced.get(run.number);
    if (replaced !== undefined && update.log !== undefined) {
      // First the new run must be kept as well.
      void Promise.resolve(keeper?.kept()).then(() => forgetRun(replaced));
      this.#replaced.delete(run.number);
    } else if (replaced !== undefined && over) {
      this.#replaced.delete(run.number); // the run never started
      this.recall();
    }
    if (over) {
      if (!isKept(run)) keeper?.forget();
      this.#keepers.delete(run.number);
    } else if (update.state === "failed") keeper?.release();
    return keeper;
  }
}
