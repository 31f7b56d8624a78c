import { expect, test } from "@playwright/test";
import { Solvers } from "../src/solver/solver-client.js";
import type { Answer, Effect, SolveQuery } from "../src/core/wire.js";

/** A scripted worker of a solver: it posts the given messages, or nothing. */
class Fake extends EventTarget {
  static dead = false;
  static started = 0;
  static ended = 0;
  #silent = Fake.dead;

  constructor() {
    super();
    Fake.started++;
  }

  postMessage(message: { readonly type: "start" | "solve" }): void {
    if (this.#silent) return;
    const data =
      message.type === "start" ? { type: "ready" } : { type: "reply", reply: { text: "sat", milliseconds: 1 } };
    queueMicrotask(() => this.dispatchEvent(Object.assign(new Event("message"), { data })));
  }

  terminate(): void {
    this.#silent = true;
    Fake.ended++;
  }
}

test("a solver that dies at its start fails with the reason, and the next query gets a new one", async () => {
  const before = { Worker: globalThis.Worker, self: globalThis.self };
  Object.assign(globalThis, { Worker: Fake, self: { origin: "file://" } });
  try {
    const states: string[] = [];
    const address = { br: "z3.br", gz: "z3.gz", bytes: 1, unpacked: 1 };
    const solvers = new Solvers(
      { z3: address },
      import.meta.url,
      async () => ({}) as WebAssembly.Module,
      ({ state }) => states.push(state),
      20,
    );
    const ask = (id: string): Promise<Answer> =>
      new Promise((resolve) => {
        const solve: SolveQuery = { solver: "z3", text: "(check-sat)", milliseconds: 60_000, memory: 0 };
        solvers.perform({ id, kind: "solve", solve } as Effect, new AbortController().signal, resolve);
      });
    Fake.dead = true;
    expect(await ask("1")).toEqual({
      effect: "1",
      error: { code: "solver.crash", message: "Z3 did not start within 0.02 s; try again" },
    });
    expect(states.at(-1)).toBe("idle");
    expect([Fake.started, Fake.ended]).toEqual([1, 1]);
    Fake.dead = false;
    expect((await ask("2")).value).toMatchObject({ text: "sat" });
    expect([Fake.started, Fake.ended]).toEqual([2, 1]);
  } finally {
    Object.assign(globalThis, before);
  }
});
