import type { Fault, Pace, RunState, RunUpdate } from "./core-protocol.js";
import { endRecording, perform, type PerformEffect } from "./effects.js";
import { endsMove } from "./move-end.js";
import type { EndpointKey } from "./http-effect.js";
import type { Answer, Effect, Methods, ToolAgenttoolsRemoteCall, RunResumeResult, RunStartParams } from "./wire.js";

/** A call of the core that throws a {@link CallError} if the core refuses. */
export type Call = <M extends keyof Methods>(method: M, params: Methods[M]["params"]) => Methods[M]["result"];

/** The refusal of a call by the core. */
export class CallError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/**
 * Controls a run: gives it slices of the core's time, performs its effects and keeps its pace.
 *
 * The core may be ahead of the page. While a run is paused, answers that were paid for are still
 * delivered to the core, which records them. The resulting events are held back, and no new effect is
 * performed.
 */
export class RunController {
  #answers: Answer[] = [];
  #aborts = new Map<string, AbortController>();
  #cancelled = false;
  #wake: () => void = () => {};
  /** The number of moves that may still be shown. */
  #moves: number;
  #held: unknown[] = [];
  #effects: Effect[] = [];
  #dropped: string[] = [];
  #recorded = 0;

  constructor(
    private readonly keys: ReadonlyMap<string, EndpointKey>,
    /** The requests that the run's tools may make. */
    private readonly agreed: readonly ToolAgenttoolsRemoteCall[],
    private readonly solve: PerformEffect,
    private readonly prompt: PerformEffect,
    private readonly recording: boolean,
    pace: Pace,
    private readonly post: (update: RunUpdate) => void,
  ) {
    this.#moves = movesOf(pace);
  }

  answer(answer: Answer): void {
    this.#answers.push(answer);
    this.#wake();
  }

  /** Sets the pace. A move in progress always completes. */
  setPace(pace: Pace): void {
    this.#moves = pace === "pause" ? Math.min(this.#moves, 1) : movesOf(pace);
    this.#wake();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#wake();
  }

  fail(fault: Fault): void {
    this.#post({ state: "failed", fault });
  }

  /** Runs to the end. */
  async go(call: Call, params: RunStartParams): Promise<void> {
    const { run } = call("run.start", params);
    try {
      let out: RunResumeResult = { effects: [], cancel: [], events: [], state: "working" };
      for (let first = true; ; first = false) {
        if (this.#cancelled) {
          const log = this.#newAnswers(call, run);
          this.#post({ state: "cancelled", ...(log && { log }) });
          return;
        }
        if (this.#answers.length > 0 || (out.state === "working" && this.#free)) {
          out = call("run.resume", { run, answers: this.#answers.splice(0) });
          this.#take(out);
        }
        const log = this.#newAnswers(call, run, first);
        const over = out.state === "done" || out.state === "failed";
        const events = this.#release(over);
        const questions = this.#free ? this.#perform() : [];
        const dropped = this.#dropped.splice(0);
        if (over && this.#held.length === 0) {
          this.#post({
            state: out.state as RunState,
            events,
            dropped,
            ...(log && { log }),
            ...(out.error && { fault: out.error }),
            ...(out.result !== undefined && { result: shown(out.result) }),
          });
          return;
        }
        const held = !this.#free && this.#aborts.size === 0;
        this.#post({
          state: held ? "paused" : out.state === "working" && this.#free ? "working" : "waiting",
          events,
          questions,
          dropped,
          ...(log && { log }),
        });
        if (this.#answers.length > 0 || this.#cancelled || (this.#free && (out.state === "working" || over)))
          await macrotask();
        else await this.#sleep();
      }
    } finally {
      for (const abort of this.#aborts.values()) abort.abort();
      this.#aborts.clear();
      try {
        call("run.stop", { run });
      } catch {
        // The module is lost, and the run with it.
      }
    }
  }

  /** Reports whether no event is held back. */
  get #free(): boolean {
    return this.#moves > 0 && this.#held.length === 0;
  }

  #post(update: Partial<RunUpdate> & Pick<RunUpdate, "state">): void {
    this.post({ events: [], questions: [], dropped: [], ...update });
  }

  /** Returns the answers recorded since the last call. */
  #newAnswers(call: Call, run: number, always = false): RunUpdate["log"] {
    const { log } = call("run.log", { run, from: this.#recorded });
    this.#recorded += log.answers.length;
    return always || log.answers.length > 0 ? log : undefined;
  }

  #take(out: RunResumeResult): void {
    this.#held.push(...out.events);
    for (const effect of out.cancel) {
      this.#aborts.get(effect)?.abort();
      this.#aborts.delete(effect);
      this.#dropped.push(effect);
    }
    this.#effects = [...this.#effects.filter((effect) => !out.cancel.includes(effect.id)), ...out.effects];
  }

  /**
   * Returns the events that may be shown: those of the moves that the pace still allows and, if the run is over
   * and no further move is held back, all others.
   */
  #release(over: boolean): unknown[] {
    let end = 0;
    while (end < this.#held.length && this.#moves > 0) {
      if (endsMove(this.#held[end])) this.#moves--;
      end++;
    }
    if (over && !this.#held.slice(end).some(endsMove)) end = this.#held.length;
    return this.#held.splice(0, end);
  }

  /** Performs the pending effects and returns the questions for the person. */
  #perform(): Effect[] {
    const questions: Effect[] = [];
    for (const effect of this.#effects.splice(0)) {
      if (effect.kind === "question") questions.push(effect);
      else if (this.recording) this.#answers.push(endRecording(effect));
      else {
        const abort = new AbortController();
        this.#aborts.set(effect.id, abort);
        perform(effect, this.keys, this.agreed, this.solve, this.prompt, abort.signal, (answer) => {
          if (!this.#aborts.has(effect.id)) return; // the core has cancelled it
          if (answer.chunk === undefined) this.#aborts.delete(effect.id);
          this.answer(answer);
        });
      }
    }
    return questions;
  }

  async #sleep(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = () => {};
  }
}

/** The maximum number of a solution's values that the page receives. More would block it, and nobody reads them. */
const MAX_VALUES = 5_000;

/** Returns a run's result without the parts that the page does not show. */
function shown(result: unknown): unknown {
  const solved = result as { readonly answer?: { readonly model?: readonly unknown[] } } | null;
  const model = solved?.answer?.model;
  if (model === undefined || model.length <= MAX_VALUES) return result;
  return { ...solved, answer: { ...solved?.answer, model: model.slice(0, MAX_VALUES) }, values: model.length };
}

function movesOf(pace: Pace): number {
  return pace === "run" ? Infinity : pace === "pause" ? 0 : pace;
}

/** Yields, so that pending messages are handled before the next slice. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}
