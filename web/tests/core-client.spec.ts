import { expect, test } from "@playwright/test";
import { CoreClient, type CoreAssets } from "../src/core/core-client.js";
import type { FromWorker, ToWorker } from "../src/core/core-protocol.js";

/** A worker that hangs on requests of one text and answers all others in order. */
class Fake extends EventTarget {
  static started = 0;
  static crashes = false;
  #ended = false;
  #hangs = false;

  constructor() {
    super();
    Fake.started++;
  }

  postMessage(message: ToWorker): void {
    if (message.type === "load") this.#post({ type: "ready" });
    if (message.type !== "call" || this.#hangs) return;
    this.#post({ type: "answering", id: message.id });
    if (!JSON.stringify(message.params).includes("hostile"))
      this.#post({ type: "reply", id: message.id, text: `{"result":${message.id}}` });
    else if (Fake.crashes) this.#post({ type: "crashed", fault: { code: "module.crash", message: "it crashed" } });
    else this.#hangs = true;
  }

  #post(data: FromWorker): void {
    queueMicrotask(() => {
      if (!this.#ended) this.dispatchEvent(Object.assign(new Event("message"), { data }));
    });
  }

  terminate(): void {
    this.#ended = true;
  }
}

/** Runs a test with a clock of its own and the fake worker. */
async function withClock(body: (advance: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  const names = ["Worker", "self", "document", "location", "setTimeout", "clearTimeout", "performance"] as const;
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  const { setTimeout: turn } = globalThis;
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  let now = 0;
  let last = 0;
  const stubs: Record<(typeof names)[number], unknown> = {
    Worker: Fake,
    self: { origin: "https://stile.test" },
    document: { baseURI: "https://stile.test/" },
    location: { origin: "https://stile.test" },
    setTimeout: (run: () => void, ms: number) => (timers.set(++last, { at: now + ms, run }), last),
    clearTimeout: (id: number) => timers.delete(id),
    performance: { now: () => now },
  };
  for (const name of names) Object.defineProperty(globalThis, name, { value: stubs[name], configurable: true });
  try {
    await body(async (ms) => {
      for (const end = now + ms; now < end;) {
        now += 100;
        for (const [id, { at, run }] of [...timers]) if (at <= now && timers.delete(id)) run();
        await new Promise((resolve) => turn(resolve));
      }
    });
  } finally {
    for (const [name, property] of before)
      if (property === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, property);
  }
}

const module = { br: "a.br", gz: "a.gz" };
const assets = { worker: "core.js", first: module, whole: module, solvers: {} } as unknown as CoreAssets;
const walk = (word: string) => ({ files: [], name: "a.cfg", word: [word] });

for (const crashes of [false, true])
  test(`a request that ${crashes ? "crashes" : "hangs"} the core is refused after its second loss, however often the page repeats it`, async () => {
    Fake.started = 0;
    Fake.crashes = crashes;
    await withClock(async (advance) => {
      const faults: string[] = [];
      let repeats = 0;
      const ask = (): void => {
        repeats++;
        client.call("step.walk", walk("hostile"), false).catch((reason: Error) => faults.push(reason.message));
      };
      // The page repeats its request whenever a core has started.
      const client = new CoreClient(assets, { started: () => queueMicrotask(ask), restarted: () => {} });
      client.start();
      await advance(200_000);
      expect(Fake.started).toBe(3);
      expect(faults).toHaveLength(repeats);
      expect(faults.at(-1)).toMatch(/did not respond/u);
      // Another request is answered by the core that has started.
      expect(await client.call("step.walk", walk("other"), false)).toBeGreaterThan(0);
      expect(Fake.started).toBe(3);
      // The machine may only have been busy: losses are forgotten after five minutes.
      await advance(301_000);
      ask();
      await advance(10_000);
      expect(Fake.started).toBeGreaterThan(3);
    });
  });

test("a request that waits behind one that hangs the core is answered", async () => {
  Fake.started = 0;
  Fake.crashes = false;
  await withClock(async (advance) => {
    const client = new CoreClient(assets, { restarted: () => {} });
    client.start();
    const hung = client.call("step.walk", walk("hostile"), false).then(
      () => "answered",
      () => "refused",
    );
    const behind = client.call("step.walk", walk("innocent"), false).then(
      () => "answered",
      () => "refused",
    );
    await advance(60_000);
    expect(await hung).toBe("refused");
    expect(await behind).toBe("answered");
    expect(Fake.started).toBe(3);
  });
});
