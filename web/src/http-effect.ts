import { addressFault, originOf } from "./address.js";
import type { Fault } from "./core-protocol.js";
import { PolicyWatch, whyUnreached } from "./http-fault.js";
import { Redactor } from "./redact.js";
import type { Answer, Effect, HTTP } from "./wire.js";

/** A key and the only origin it is sent to. */
export interface EndpointKey {
  readonly origin: string;
  readonly key: string;
}

/**
 * Performs an http effect and tells its answers one by one: the chunks of a
 * stream, then one value or error. A key is added here, outside the core, and
 * only for the origin it was given for, so that no link can send it elsewhere;
 * and it is taken out of whatever comes back, so that nothing records it.
 */
export async function performHTTP(
  effect: Effect,
  keys: ReadonlyMap<string, EndpointKey>,
  signal: AbortSignal,
  tell: (answer: Answer) => void,
): Promise<void> {
  const { http } = effect;
  const unasked = http === undefined ? "the core asked for nothing" : addressFault(http.url);
  if (http === undefined || unasked !== null) {
    tell({ effect: effect.id, error: { code: "network", message: unasked ?? "" } });
    return;
  }
  const key = keyFor(http, keys);
  const redactor = new Redactor(key);
  const clean = (text: string): string => {
    const once = new Redactor(key);
    return once.write(text) + once.end();
  };
  const policy = new PolicyWatch();
  const silence = new Silence(http.idle ?? 0);
  let answering = false;
  let body = "";
  const take = (text: string): void => {
    if (http.stream !== true) body += text;
    else if (text !== "") tell({ effect: effect.id, chunk: text });
  };
  const began = performance.now();
  try {
    const response = await fetch(http.url, {
      method: http.method,
      headers: withKey(http, key),
      body: http.body === undefined || http.body === "" ? null : http.body,
      signal: AbortSignal.any([signal, silence.signal]),
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      // Browsers take only some headers off a request that is sent elsewhere.
      redirect: key === undefined ? "follow" : "manual",
    });
    if (response.type === "opaqueredirect") {
      const message = `${new URL(http.url).host} sends on to another address, where the key must not follow; give the endpoint that address`;
      tell({ effect: effect.id, error: { code: "network", message } });
      return;
    }
    answering = response.ok;
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (;;) {
      silence.heard();
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      take(redactor.write(decoder.decode(value, { stream: true })));
    }
    take(redactor.write(decoder.decode()) + redactor.end());
    const headers = Object.fromEntries([...response.headers].map(([name, text]) => [name, clean(text)]));
    tell({ effect: effect.id, value: { status: response.status, headers, body, milliseconds: Math.round(performance.now() - began) } });
  } catch (reason) {
    take(redactor.end()); // what came stays
    const fault = await faultOf(reason, http, key !== undefined, answering, silence, policy, signal);
    tell({ effect: effect.id, error: { code: fault.code, message: clean(fault.message) } });
  } finally {
    silence.stop();
    policy.stop();
  }
}

/** Aborts what nothing was heard of for a time. */
class Silence {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #controller = new AbortController();
  readonly signal = this.#controller.signal;

  constructor(readonly limit: number) {
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#timer);
    if (this.limit > 0) this.#timer = setTimeout(() => this.#controller.abort(), this.limit);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** The key that a request is to carry, if there is one for its origin. */
function keyFor(http: HTTP, keys: ReadonlyMap<string, EndpointKey>): string | undefined {
  const known = http.auth?.startsWith("endpoint:") === true ? keys.get(http.auth.slice("endpoint:".length)) : undefined;
  return known !== undefined && known.origin === originOf(http.url) ? known.key : undefined;
}

function withKey(http: HTTP, key: string | undefined): Headers {
  const headers = new Headers(http.headers ?? {});
  if (key !== undefined) {
    if (http.authHeader === undefined || http.authHeader === "") headers.set("authorization", `Bearer ${key}`);
    else headers.set(http.authHeader, key);
  }
  return headers;
}

async function faultOf(reason: unknown, http: HTTP, keyed: boolean, answering: boolean, silence: Silence, policy: PolicyWatch, signal: AbortSignal): Promise<Fault> {
  const { host } = new URL(http.url);
  if (signal.aborted) return { code: "aborted", message: "the request was cancelled" };
  if (silence.signal.aborted) return { code: "timeout", message: `${host} has sent nothing for ${silence.limit / 1000} s` };
  // An answer that had begun is paid for, whatever of it arrived.
  if (answering) return { code: "cut", message: `${host} broke off in the middle of its answer` };
  // Only a TypeError is the network's; anything else is a request that cannot be made.
  if (!(reason instanceof TypeError)) return { code: "network", message: reason instanceof Error ? reason.message : String(reason) };
  return whyUnreached(http.url, keyed, policy, signal);
}
