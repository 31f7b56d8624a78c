/** The origin of an address, or "" where it is none. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
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
