import { isLoopback, isPrivate, originOf } from "../models/address.js";
import type { Fault } from "./core-protocol.js";

// A browser hides the reason for a failed request, so that pages cannot explore networks. This file
// infers the reason from the address, the page's own policy, the permissions and one further request without
// key and body.

/** Milliseconds that a server may take to respond to the probe. */
const BLIND_LIMIT = 4_000;

/** Listens for violations of the page's own content security policy until it is stopped. */
export class PolicyWatch {
  #refused = new Set<string>();
  #hear = (event: Event): void => void this.#refused.add(originOf((event as SecurityPolicyViolationEvent).blockedURI));

  constructor() {
    self.addEventListener("securitypolicyviolation", this.#hear);
  }

  /**
   * Reports whether the policy blocked requests to an address. The browser reports a violation a
   * moment later.
   */
  async refused(url: string): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve));
    return this.#refused.has(originOf(url));
  }

  stop(): void {
    self.removeEventListener("securitypolicyviolation", this.#hear);
  }
}

/** Returns the reason why an address did not respond. */
export async function whyUnreached(
  url: string,
  keyed: boolean,
  policy: PolicyWatch,
  signal: AbortSignal,
): Promise<Fault> {
  const { protocol, host, hostname } = new URL(url);
  const page = location.origin;
  const here = isLoopback(hostname);
  const local = here || isPrivate(hostname);
  if (!navigator.onLine && !local)
    return { code: "offline", message: `${host} cannot be reached: this device is offline` };
  const secure = location.protocol === "https:";
  if (protocol === "http:" && !here && (secure || (await policy.refused(url)))) {
    return {
      code: "mixed-content",
      message: `${host} uses plain http, which ${secure ? "a page loaded over https" : "this page"} may call on this device only (localhost)`,
    };
  }
  const permission = local && !isLoopback(location.hostname) ? await localPermission(here) : undefined;
  if (permission === "denied") {
    return {
      code: "local-network",
      message: `the browser blocks ${page} from ${here ? "this device's own servers" : "devices in this network"}; allow "local network access" in the site's settings, next to the address`,
    };
  }
  if (await answersBlindly(url, signal)) {
    return {
      code: "cors",
      message: `${host} responds, but its answer may not be read by ${page}: it does not allow requests from web pages (CORS), or it refused the request${keyed ? "" : ", which carried no key,"} without reporting that to pages`,
    };
  }
  if (signal.aborted) return { code: "aborted", message: "the request was cancelled" };
  if (here && secure && isSafari())
    return {
      code: "mixed-content",
      message: `Safari blocks requests of https pages to ${host}; use another browser, or serve it over https`,
    };
  // An unanswered permission prompt looks like a missing server.
  const unasked =
    permission === "prompt" ? ", or the browser has no permission to reach it (local network access)" : "";
  const why = here
    ? `no server is listening there${unasked}`
    : `the address is wrong, the server is down${unasked}, or a firewall or an extension blocks it`;
  return { code: "network", message: `${host} does not respond: ${why}` };
}

/** Returns the permission to reach servers on this device or in its network, if the browser has one. */
async function localPermission(here: boolean): Promise<PermissionState | undefined> {
  for (const name of [here ? "loopback-network" : "local-network", "local-network-access"]) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // This browser does not know the name.
    }
  }
  return undefined;
}

/**
 * Reports whether any server responds at an address, without key and body and without reading the
 * response.
 */
async function answersBlindly(url: string, signal: AbortSignal): Promise<boolean> {
  const enough = new AbortController();
  try {
    await fetch(url, {
      mode: "no-cors",
      method: "GET",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
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
