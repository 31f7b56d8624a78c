/** Milliseconds for which a server may send only keep-alives; a longer idle time takes precedence. */
const KEPT_ALIVE = 300_000;

/** The maximum length of an unfinished line that may become a ping. */
const UNFINISHED = 64;

/** Matches a line without data: blank, a comment or a ping. */
const alive = /^\s*(?::.*|event:.*|data: *\{ *"type": *"ping" *\}.*)?\s*$/u;

/** The clock of {@link Silence}; tests have their own. */
const system = {
  now: (): number => performance.now(),
  set: (f: () => void, ms: number): number => Number(setTimeout(f, ms)),
  clear: (timer: number): void => clearTimeout(timer),
};

/** Aborts a request after a time without a byte, or after a longer time with keep-alives only. */
export class Silence {
  #timer = 0;
  #controller = new AbortController();
  #data: number;
  #rest = "";
  readonly signal = this.#controller.signal;
  /** The reason to abort, of which the host is the subject. */
  reason = "";

  constructor(
    readonly limit: number,
    readonly clock = system,
  ) {
    this.#data = clock.now();
    this.#wait();
  }

  /** Reports a received part of the body. */
  heard(text: string): void {
    const all = this.#rest + text;
    const lines = all.split("\n");
    const last = lines.pop() ?? "";
    this.#rest = last.length > UNFINISHED ? "" : last;
    if (last.length > UNFINISHED || lines.some((line) => !alive.test(line))) this.#data = this.clock.now();
    this.#wait();
  }

  stop(): void {
    this.clock.clear(this.#timer);
  }

  #wait(): void {
    this.stop();
    if (this.limit <= 0) return;
    const most = Math.max(this.limit, KEPT_ALIVE);
    const left = this.#data + most - this.clock.now();
    const [ms, reason] =
      left < this.limit
        ? [left, `has sent only keep-alives for ${most / 1000} s`]
        : [this.limit, `has sent nothing for ${this.limit / 1000} s`];
    this.#timer = this.clock.set(() => {
      this.reason = reason;
      this.#controller.abort();
    }, ms);
  }
}
