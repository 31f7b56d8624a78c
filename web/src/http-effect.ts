import type { Fault } from "./core-protocol.js";
import type { Answer, Effect, HTTP } from "./wire.js";

/** A key and the only origin it is sent to. */
export interface EndpointKey {
  readonly origin: string;
  readonly key: string;
}

/**
 * Performs an http effect and tells its answers one by one: the chunks of a
 * stream, then one value or error. A key is added here, outside the core, and
 * only for the origin it was typed in for, so that no link can send it
 * elsewhere.
 */
export async function performHTTP(
  effect: Effect,
  keys: ReadonlyMap<string, EndpointKey>,
  signal: AbortSignal,
  tell: (answer: Answer) => void,
): Promise<void> {
  const http = effect.http;
  if (http === undefined) {
    tell({ effect: effect.id, error: { code: "network", message: "the core asked for nothing" } });
    return;
  }
  try {
    const response = await fetch(http.url, {
      method: http.method,
      headers: withKey(http, keys),
      body: http.body === undefined || http.body === "" ? null : http.body,
      signal,
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    const headers = Object.fromEntries(response.headers);
    if (http.stream === true && response.body !== null) {
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        if (value !== "") tell({ effect: effect.id, chunk: value });
      }
      tell({ effect: effect.id, value: { status: response.status, headers, body: "" } });
      return;
    }
    tell({ effect: effect.id, value: { status: response.status, headers, body: await response.text() } });
  } catch (reason) {
    tell({ effect: effect.id, error: faultOf(reason, http.url, signal) });
  }
}

function withKey(http: HTTP, keys: ReadonlyMap<string, EndpointKey>): Headers {
  const headers = new Headers(http.headers ?? {});
  const name = http.auth?.startsWith("endpoint:") === true ? http.auth.slice("endpoint:".length) : undefined;
  const known = name === undefined ? undefined : keys.get(name);
  if (known !== undefined && known.origin === originOf(http.url)) {
    headers.set("authorization", `Bearer ${known.key}`);
  }
  return headers;
}

/** The origin of an address, or "" where it is none. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}

/** A browser hides why a request failed; this says what can be known. */
function faultOf(reason: unknown, url: string, signal: AbortSignal): Fault {
  if (signal.aborted) return { code: "aborted", message: "the request was cancelled" };
  if (!URL.canParse(url)) return { code: "network", message: `"${url}" is not an address; it begins with https:// or http://` };
  const { protocol, host, hostname } = new URL(url);
  const local = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (!navigator.onLine && !local) return { code: "network", message: `${host} cannot be reached: this device is offline` };
  if (location.protocol === "https:" && protocol === "http:" && !local) {
    return { code: "mixed-content", message: `${host} is plain http, which a page served over https may not call; use https` };
  }
  const why = local
    ? `${host} did not answer: start the server, and let it accept pages from ${location.origin} (Ollama: OLLAMA_ORIGINS=${location.origin})`
    : `${host} did not answer, or does not let web pages call it (CORS)`;
  const detail = reason instanceof Error && reason.name !== "TypeError" ? ` (${reason.message})` : "";
  return { code: local ? "network" : "cors", message: why + detail };
}
