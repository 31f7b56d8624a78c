import { copiedEndings } from "./endings.js";

/** Returns the origin of an address, or "" if it is invalid. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}

/**
 * Returns the origin and path that all requests to an endpoint begin with, or "" if its address is
 * invalid.
 */
export function baseOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { origin, pathname } = new URL(url);
  let path = pathname.replace(/\/+$/, "");
  for (const end of copiedEndings) path = withoutEnding(path, end);
  return origin + path.replace(/\/+$/, "");
}

/** Removes an ending from a path. An asterisk in the ending matches the name of a model. */
function withoutEnding(path: string, ending: string): string {
  const [before = "", after] = ending.split("*");
  if (after === undefined) return path.endsWith(ending) ? path.slice(0, -ending.length) : path;
  const rest = path.slice(0, -after.length);
  const at = rest.lastIndexOf("/") + 1;
  return path.endsWith(after) && at < rest.length && rest.slice(0, at).endsWith(before)
    ? rest.slice(0, at - before.length)
    : path;
}

/** Reports whether an address equals a base address or is below it, segment by segment. */
export function isUnder(url: string, base: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(base)) return false;
  const [at, from] = [new URL(url), new URL(base)];
  const prefix = from.pathname.replace(/\/+$/, "");
  let path: string;
  try {
    path = decodeURIComponent(at.pathname);
  } catch {
    return false;
  }
  // Servers decode escapes that a browser keeps, for example in "..%2f".
  if (path.split(/[/\\]/).some((segment) => segment === "..")) return false;
  return (
    at.origin === from.origin &&
    at.username + at.password === "" &&
    (at.pathname === prefix || at.pathname.startsWith(`${prefix}/`))
  );
}

/**
 * Base address of the browser's built-in model. Only the page answers requests to it: a
 * name below localhost never leaves the device.
 */
export const browserModel = "http://language-model.localhost/v1";

/** Returns the reason why no request can go to an address, or null. */
export function addressFault(url: string): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return `"${url}" is not an address; it must begin with https:// or http://`;
  const { username, password } = new URL(url);
  return username + password === ""
    ? null
    : "the address contains a user name or password, which browsers refuse; remove it";
}

/** Returns the name of a parameter of an address that gives access, or null. The rules are those of the core. */
export function secretParameter(url: string): string | null {
  const at = url.search(/[?#]/);
  if (at < 0) return null;
  for (const parameter of decoded(url.slice(at)).split(/[?#&;]/)) {
    const name = parameter.split("=", 1)[0] ?? "";
    const plain = name.toLowerCase().replace(/[-_.[\]]/g, "");
    if (
      /^(sig|sas|hmac|jwt|bearer|code|auth|pass|pwd)$/.test(plain) ||
      /secret|password|passphrase|passwd|signature|credential|authorization|apikey|accesskey|(key|token)$/.test(plain)
    )
      return name;
  }
  return null;
}

/** Decodes the percent signs of a text; one that encodes no character stays. */
function decoded(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const byte = parseInt(code.slice(1), 16);
    return byte < 128 ? String.fromCharCode(byte) : code;
  });
}

/** Returns the command for a tunnel through which a server in the network gets an address on this device. */
export function tunnel(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const own = port === "" ? "80" : port;
  return `open a tunnel (ssh -L ${own}:localhost:${own} ${hostname}) and use http://localhost:${own}${pathname === "/" ? "" : pathname}`;
}

/** Reports whether a host is in a private network, judged by its name. */
export function isPrivate(hostname: string): boolean {
  return (
    /^[^.:[]+$|\.(home\.arpa|internal|lan|local)$/.test(hostname) ||
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)[\d.]+$/.test(
      hostname,
    ) ||
    /^\[f[cd]|^\[fe80:/.test(hostname)
  );
}

/** Reports whether requests to an address cross public networks unencrypted, so that others can read them. */
export function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isLoopback(hostname) && !isPrivate(hostname);
}

/** Reports whether a host is this device, whose servers a page may call over plain http. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

/** Reports whether requests to an address are free, because it is a loopback address. */
export function isFree(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
