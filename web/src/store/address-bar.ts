/** Removes the opened workspace from the page's address. */
export function clearAddress(): void {
  const left = addressOf(undefined);
  if (location.pathname + location.search + location.hash !== left) history.replaceState(history.state, "", left);
}

/** Writes a link's fragment to the page's address. */
export function showFragment(fragment: string): void {
  history.replaceState(history.state, "", addressOf(undefined) + fragment);
}

/** Returns the page's address with an example, or without a workspace. */
export function addressOf(example: string | undefined): string {
  const search = new URLSearchParams(location.search);
  for (const name of ["url", "gist", "example"]) search.delete(name);
  if (example !== undefined) search.set("example", example);
  return location.pathname + (search.size === 0 ? "" : `?${search.toString()}`);
}
