/** Removes the opened workspace from the page's address. */
export function clearAddress(): void {
  const search = new URLSearchParams(location.search);
  search.delete("url");
  search.delete("gist");
  search.delete("example");
  const left = search.size === 0 ? "" : `?${search.toString()}`;
  if (location.hash !== "" || left !== location.search) history.replaceState(null, "", location.pathname + left);
}
