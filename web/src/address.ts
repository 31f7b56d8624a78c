/** The origin of an address, or "" where it is none. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}

/** The ends that a person may have copied with an endpoint's address, as the core leaves them out (core/llm, Endpoint.Base). */
const copiedEnds = ["/chat/completions", "/completions", "/messages", "/api/chat", "/api/generate", "/api"];

/** The origin and path that all requests to an endpoint begin with, or "" where its address is none. */
export function baseOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { origin, pathname } = new URL(url);
  let path = pathname.replace(/\/+$/, "");
  for (const end of copiedEnds) if (path.endsWith(end)) path = path.slice(0, -end.length);
  return origin + path.replace(/\/+$/, "");
}

/** Whether an address is at a base address or below it, segment by segment. */
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
  // Servers decode what a browser leaves as it is, "..%2f" among it.
  if (path.split(/[/\\]/).some((segment) => segment === "..")) return false;
  return at.origin === from.origin && at.username + at.password === "" && (at.pathname === prefix || at.pathname.startsWith(`${prefix}/`));
}

/** Says what is wrong with an address that a request cannot go to, or null. */
export function addressFault(url: string): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return `"${url}" is not an address; it begins with https:// or http://`;
  const { username, password } = new URL(url);
  return username + password === "" ? null : "the address has a user name or password in it, which browsers refuse; leave it out";
}

/** Whether a host is this device, whose servers a page may call over plain http. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
