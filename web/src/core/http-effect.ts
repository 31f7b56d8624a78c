import { addressFault, isReadable, isUnder } from "../models/address.js";
import { isAgreed } from "./tool-consent.js";
import type { Fault } from "./core-protocol.js";
import { EVENT_STREAM, EventStream } from "./event-stream.js";
import { PolicyWatch, whyUnreached } from "./http-fault.js";
import { Redactor } from "./redact.js";
import { Silence } from "./silence.js";
import type { Answer, Effect, HTTP, ToolAgenttoolsRemoteCall } from "./wire.js";

/** A key, the extra headers of its endpoint, and the base address that they may be sent to. */
export interface EndpointKey {
  readonly base: string;
  /** "" for none. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Performs an http effect and reports its answers: the chunks of a stream, then one value or error.
 * The key and extra headers are added here, outside the core, and only for their own address, so that no
 * link can send them elsewhere. They are removed from the response, so that no recording contains them. A
 * tool's request needs the person's consent.
 */
export async function performHTTP(
  effect: Effect,
  keys: ReadonlyMap<string, EndpointKey>,
  agreed: readonly ToolAgenttoolsRemoteCall[],
  signal: AbortSignal,
  post: (answer: Answer) => void,
): Promise<void> {
  const { http } = effect;
  const unasked = http === undefined ? "the core sent an empty request" : addressFault(http.url);
  if (http === undefined || unasked !== null) {
    post({ effect: effect.id, error: { code: "network", message: unasked ?? "" } });
    return;
  }
  const refusal = toolFault(http, keys, agreed);
  if (refusal !== null) {
    post({ effect: effect.id, error: { code: "consent", message: refusal } });
    return;
  }
  const own = endpointFor(http, keys);
  const key = keyFor(http, keys, own);
  const secrets = [key, ...Object.values(own?.headers ?? {})];
  if (isReadable(http.url) && secrets.some((secret) => secret !== "")) {
    const message = `${new URL(http.url).host} uses plain http outside private networks, so anyone on the network path could read the key; it is not sent`;
    post({ effect: effect.id, error: { code: "mixed-content", message } });
    return;
  }
  const redactor = new Redactor(secrets);
  const clean = (text: string): string => {
    const once = new Redactor(secrets);
    return once.write(text) + once.end();
  };
  const policy = new PolicyWatch();
  const silence = new Silence(http.idle ?? 0);
  let answering = false;
  let body = "";
  const take = (text: string): void => {
    if (http.stream !== true) body += text;
    else if (text !== "") post({ effect: effect.id, chunk: text });
  };
  const began = performance.now();
  try {
    const response = await fetch(http.url, {
      method: http.method,
      headers: withSecrets(http, key, own),
      body: http.body === undefined || http.body === "" ? null : http.body,
      signal: AbortSignal.any([signal, silence.signal]),
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      // On a redirect, browsers remove only some headers, so a redirect could receive a key.
      redirect: key === "" && own === undefined && http.tool !== true ? "follow" : "manual",
    });
    if (response.type === "opaqueredirect") {
      const { host } = new URL(http.url);
      const message =
        http.tool === true
          ? `${host} redirects to another address, which you have not allowed; declare the tool with that address`
          : `${host} redirects to another address; the key is not sent there. Set that address in the endpoint`;
      post({ effect: effect.id, error: { code: "network", message } });
      return;
    }
    answering = response.ok;
    const decoder = new TextDecoder();
    const binary = http.stream === true && response.headers.get("content-type")?.startsWith(EVENT_STREAM) === true;
    const frames = binary ? new EventStream() : null;
    const reader = response.body?.getReader();
    silence.heard("headers\n");
    while (frames?.failed !== true) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      const text = frames?.write(value) ?? decoder.decode(value, { stream: true });
      silence.heard(text);
      take(redactor.write(text));
    }
    if (frames?.failed === true) await reader?.cancel();
    take(redactor.write(decoder.decode()) + redactor.end());
    const headers = Object.fromEntries([...response.headers].map(([name, text]) => [name, clean(text)]));
    post({
      effect: effect.id,
      value: { status: response.status, headers, body, milliseconds: Math.round(performance.now() - began) },
    });
  } catch (reason) {
    take(redactor.end()); // keep the part that arrived
    const fault = await faultOf(reason, http, key !== "" || own !== undefined, answering, silence, policy, signal);
    post({ effect: effect.id, error: { code: fault.code, message: clean(fault.message) } });
  } finally {
    silence.stop();
    policy.stop();
  }
}

/** Returns the reason to refuse a tool's request, or null. */
function toolFault(
  http: HTTP,
  keys: ReadonlyMap<string, EndpointKey>,
  agreed: readonly ToolAgenttoolsRemoteCall[],
): string | null {
  if (http.tool !== true) return null;
  const { origin, pathname } = new URL(http.url);
  if (!isAgreed(http, agreed))
    return `${http.method} ${origin}${pathname} is not allowed; allow it in the Run tab, or simulate the tools`;
  const name = http.auth?.slice("tool:".length);
  return name === undefined || (keys.get(name)?.key ?? "") !== ""
    ? null
    : `the endpoint "${name}" has no key to send to ${origin}`;
}

/** Returns the endpoint of a model's request, if its secrets may be sent to the address. */
function endpointFor(http: HTTP, keys: ReadonlyMap<string, EndpointKey>): EndpointKey | undefined {
  if (http.tool === true || http.auth?.startsWith("endpoint:") !== true) return undefined;
  const known = keys.get(http.auth.slice("endpoint:".length));
  return known !== undefined && isUnder(http.url, known.base) ? known : undefined;
}

/** Returns a request's key: its endpoint's for a model, or the tool's if the person agreed to the request. */
function keyFor(http: HTTP, keys: ReadonlyMap<string, EndpointKey>, own: EndpointKey | undefined): string {
  const known = http.tool === true ? keys.get(http.auth?.slice("tool:".length) ?? "") : own;
  return known?.key ?? "";
}

function withSecrets(http: HTTP, key: string, own: EndpointKey | undefined): Headers {
  const headers = new Headers(http.headers ?? {});
  for (const [name, value] of Object.entries(own?.headers ?? {})) headers.set(name, value);
  if (key !== "") {
    if (http.authHeader === undefined || http.authHeader === "") headers.set("authorization", `Bearer ${key}`);
    else headers.set(http.authHeader, key);
  }
  return headers;
}

async function faultOf(
  reason: unknown,
  http: HTTP,
  keyed: boolean,
  answering: boolean,
  silence: Silence,
  policy: PolicyWatch,
  signal: AbortSignal,
): Promise<Fault> {
  const { host } = new URL(http.url);
  if (signal.aborted) return { code: "aborted", message: "the request was cancelled" };
  if (silence.signal.aborted) return { code: "timeout", message: `${host} ${silence.reason}` };
  // An answer that has begun is billed, even if it is incomplete.
  if (answering) return { code: "cut", message: `${host} closed the connection in the middle of its answer` };
  // Only a TypeError is a network error; anything else is an invalid request.
  if (!(reason instanceof TypeError))
    return { code: "network", message: reason instanceof Error ? reason.message : String(reason) };
  return whyUnreached(http.url, keyed, policy, signal);
}
