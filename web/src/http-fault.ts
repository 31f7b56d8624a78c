import { isLoopback, originOf } from "./address.js";
import type { Fault } from "./core-protocol.js";

// A browser hides from a page why a request failed, lest pages explore networks.
// What can be known from the address, the page's own policy, the permissions and
// one more request without key and body is told apart here.

/** How long a server may take to show that it is there. */
const BLIND_LIMIT = 4_000;

/** Listens to whether the page's own policy refuses requests, until it is stopped. */
export class PolicyWatch {
  #refused = new Set<string>();
  #hear = (event: Event): void => void this.#refused.add(originOf((event as SecurityPolicyViolationEvent).blockedURI));

  constructor() {
    self.addEventListener("securitypolicyviolation", this.#hear);
  }

  /** Whether requests to an address were refused. The browser says so a moment after it refused. */
  async refused(url: string): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve));
    return this.#refused.has(originOf(url));
  }

  stop(): void {
    self.removeEventListener("securitypolicyviolation", this.#hear);
  }
}

/** Says why there was no answer from an address that was asked with a key, or without one. */
export async function whyUnreached(url: string, keyed: boolean, policy: PolicyWatch, signal: AbortSignal): Promise<Fault> {
  const { protocol, host, hostname } = new URL(url);
  const page = location.origin;
  const here = isLoopback(hostname);
  const local = here || isPrivate(hostname);
  if (!navigator.onLine && !local) return { code: "offline", message: `${host} cannot be reached: this device is offline` };
  const secure = location.protocol === "https:";
  if (protocol === "http:" && !here && (secure || await policy.refused(url))) {
    return {
      code: "mixed-content",
      message: `${host} is asked over plain http, which ${secure ? "a page that came over https" : "this page"} may do on this device only (localhost); give the server https, or a tunnel to localhost`,
    };
  }
  const permission = local && !isLoopback(location.hostname) ? await localPermission(here) : undefined;
  if (permission === "denied") {
    return { code: "local-network", message: `the browser keeps ${page} from ${here ? "this device's own servers" : "devices in this network"}; allow "local network access" in the site's settings, beside the address` };
  }
  if (await answersBlindly(url, signal)) {
    return { code: "cors", message: `${host} is there, but its answer may not be read by ${page}: it does not let web pages in (CORS), or it refused the request${keyed ? "" : ", which had no key,"} without saying so to pages` };
  }
  if (signal.aborted) return { code: "aborted", message: "the request was cancelled" };
  if (here && secure && isSafari()) return { code: "mixed-content", message: `Safari keeps pages that came over https from ${host}; use another browser, or give the server https` };
  // A question of the browser's that nobody said yes to looks like a server that is not there.
  const unasked = permission === "prompt" ? ", or the browser was not given leave to reach it (local network access)" : "";
  const why = here ? `no server listens there${unasked}` : `the address is wrong, the server is down${unasked}, or something in between blocks it`;
  return { code: "network", message: `${host} does not answer: ${why}` };
}

/** Whether a host is in a private network, as far as its name tells. */
function isPrivate(hostname: string): boolean {
  return hostname.endsWith(".local") || /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname) || /^\[f[cd]|^\[fe80:/.test(hostname);
}

/** What the browser lets the page do with servers on this device or in its network, where it has such a permission. */
async function localPermission(here: boolean): Promise<PermissionState | undefined> {
  for (const name of [here ? "loopback-network" : "local-network", "local-network-access"]) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // This browser does not know that name.
    }
  }
  return undefined;
}

/** Whether anything answers at an address, asked without key and body and without reading the answer. */
async function answersBlindly(url: string, signal: AbortSignal): Promise<boolean> {
  const enough = new AbortController();
  try {
    await fetch(url, {
      mode: "no-cors", method: "GET", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, enough.signal, AbortSignal.timeout(BLIND_LIMIT)]),
    });
    return true;
  } catch {
    return false;
  } finally {
    enough.abort();
  }
}

function isSafari(): boolean {
  return /Safari\//.test(navigator.userAgent) && !/Chrom(e|ium)\//.test(navigator.userAgent);
}
