import { baseOf, isFree } from "./address.js";
import type { CoreClient } from "../core/core-client.js";
import type { RunUpdate } from "../core/core-protocol.js";
import type { KeyChange, Keys } from "./api-keys.js";
import type { RunSettings } from "../run/run-form.js";
import type { Endpoint, ProbeResult } from "../store/state.js";
import * as storage from "../store/storage.js";
import type { Store } from "../store/store.js";
import type { LlmEndpoint, LlmPrice, LlmProbeEvent, RunEvent } from "../core/wire.js";

export type { LlmCapabilities as Capabilities, LlmPrice as Price, LlmProbeEvent as ProbeStep } from "../core/wire.js";

/** A command that changes, tests or selects an endpoint. */
export type EndpointCommand =
  | { readonly command: "add"; readonly endpoint: Endpoint }
  | { readonly command: "change"; readonly name: string; readonly change: Partial<Endpoint> }
  | { readonly command: "remove"; readonly name: string }
  /** Makes the named endpoint the one that runs use. */
  | { readonly command: "use"; readonly name: string }
  | { readonly command: "give"; readonly name: string; readonly change: KeyChange; readonly kept: boolean }
  | { readonly command: "keep"; readonly name: string; readonly kept: boolean }
  | { readonly command: "test"; readonly name: string }
  | { readonly command: "stop"; readonly name: string };

/** The person's endpoints: their settings, keys and tests. */
export class Endpoints {
  /** Maps the number of each test in progress to its endpoint. */
  #tests = new Map<number, Endpoint>();

  constructor(
    private readonly store: Store,
    private readonly core: CoreClient,
    private readonly runCore: CoreClient,
    private readonly keys: Keys,
    private readonly warn: (text: string) => void,
  ) {}

  /** Loads the endpoints of the last visit. */
  async recall(): Promise<void> {
    this.keys.recall();
    this.store.endpointsChanged(await storage.recallEndpoints());
  }

  do(command: EndpointCommand): void {
    switch (command.command) {
      case "add":
        this.#change((list) => [...list.filter((e) => e.name !== command.endpoint.name), command.endpoint]);
        break;
      case "change":
        this.#change((list) => list.map((e) => (e.name === command.name ? changed(e, command.change) : e)));
        break;
      case "remove":
        this.#stop(command.name);
        this.keys.forget(command.name);
        this.#change((list) => list.filter((e) => e.name !== command.name));
        break;
      case "use":
        this.store.settingsChanged({ model: "endpoint", endpoint: command.name });
        break;
      case "give":
        this.keys.give(command.name, baseOf(this.#find(command.name)?.url ?? ""), command.change, command.kept);
        break;
      case "keep":
        this.keys.keep(command.name, command.kept);
        break;
      case "test":
        this.#test(command.name);
        break;
      case "stop":
        this.#stop(command.name);
        break;
    }
  }

  /** Returns the core's price of a model's tokens, if it knows one. */
  async price(model: string): Promise<LlmPrice | undefined> {
    try {
      return (await this.core.call("endpoint.price", { model })).price ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Handles an update of a run; returns false if the run is not a test. */
  update(run: number, update: RunUpdate): boolean {
    const endpoint = this.#tests.get(run);
    if (endpoint === undefined) return false;
    const over = update.state === "done" || update.state === "failed" || update.state === "cancelled";
    if (over) this.#tests.delete(run);
    const probe = this.store.state.probes[endpoint.name];
    if (probe?.run !== run) return true;
    const result = update.result as ProbeResult | undefined;
    this.store.probeChanged({
      ...probe,
      state: update.state,
      steps: followed(probe.steps, update.events),
      ...(result && { result }),
      ...(update.fault && { fault: update.fault }),
    });
    // The result applies to the tested settings, which may have changed since.
    if (result?.capabilities !== undefined && sameServer(endpoint, this.#find(endpoint.name))) {
      this.do({
        command: "change",
        name: endpoint.name,
        change: { capabilities: result.capabilities, server: result.server ?? endpoint.server },
      });
    }
    return true;
  }

  #find(name: string): Endpoint | undefined {
    return this.store.state.endpoints.find((e) => e.name === name);
  }

  /** Changes the list, and the stored list by the same function: another tab may have changed it, too. */
  #change(f: (list: readonly Endpoint[]) => readonly Endpoint[]): void {
    this.store.endpointsChanged(f(this.store.state.endpoints));
    void storage
      .changeEndpoints(f)
      .then(
        (kept) =>
          kept === "yes" ||
          this.warn(
            "The changes to the endpoints could not be saved: storage is full or blocked. They are lost when you leave the page.",
          ),
      );
  }

  #test(name: string): void {
    const endpoint = this.#find(name);
    if (endpoint === undefined) return;
    this.#stop(name);
    // The test must not rely on known capabilities.
    const { capabilities: _, ...untold } = endpoint;
    const run = this.runCore.run({
      kind: "probe",
      workspace: { files: [] },
      settings: { endpoint: onWire(untold), origin: location.origin },
    });
    this.#tests.set(run, endpoint);
    this.store.probeChanged({ endpoint: name, run, state: "working", steps: [] });
  }

  #stop(name: string): void {
    const probe = this.store.state.probes[name];
    if (probe !== undefined && this.#tests.has(probe.run)) this.runCore.cancel(probe.run);
  }
}

/** Returns the endpoint of runs, if they use one. */
export function endpointOf(settings: RunSettings, endpoints: readonly Endpoint[]): Endpoint | undefined {
  return settings.model === "endpoint" ? endpoints.find((e) => e.name === settings.endpoint) : undefined;
}

/** Converts an endpoint into the core's form. */
export function onWire({ name, format, url, model, server, ...more }: Endpoint): LlmEndpoint {
  const { capabilities, price, idle, effort, thinking, body } = more;
  return {
    name,
    format,
    url: url.trim(),
    model: model.trim(),
    ...(server !== "" && { server }),
    ...(capabilities && { capabilities }),
    ...(price && { price }),
    ...(idle !== undefined && { idle }),
    ...(effort !== undefined && { effort }),
    ...(thinking !== undefined && { thinking }),
    ...(body && { body }),
  };
}

/** Changes an endpoint. A new server or model invalidates the test's result. */
function changed(endpoint: Endpoint, change: Partial<Endpoint>): Endpoint {
  const next = { ...endpoint, ...change };
  if (change.capabilities !== undefined || sameServer(endpoint, next)) return next;
  const { capabilities: _, ...rest } = next;
  return rest;
}

function sameServer(a: Endpoint, b: Endpoint | undefined): boolean {
  return b !== undefined && a.url === b.url && a.format === b.format && a.server === b.server && a.model === b.model;
}

/** Returns the steps after more events: a repeated step replaces its earlier state. */
function followed(steps: readonly LlmProbeEvent[], events: readonly unknown[]): readonly LlmProbeEvent[] {
  const out = [...steps];
  for (const event of events as readonly RunEvent[]) {
    if (event.kind !== "probe.step") continue;
    const at = out.findIndex((step) => step.name === event.name);
    if (at < 0) out.push(event);
    else out[at] = event;
  }
  return out;
}

/** Returns the price of an endpoint's tokens: its own, none on this device, or the core's; null if it is unknown. */
export async function priceOf(
  core: Pick<CoreClient, "call">,
  { url, model, price }: { readonly url: string; readonly model: string; readonly price?: LlmPrice },
): Promise<LlmPrice | null> {
  if (price !== undefined) return price;
  if (isFree(url)) return { prompt: 0, completion: 0 };
  return model === "" ? null : (await core.call("endpoint.price", { model })).price;
}
