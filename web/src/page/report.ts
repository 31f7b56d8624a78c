import { findSecrets } from "../share/secrets.js";
import { share } from "../share/share-link.js";
import type { Playground } from "../store/playground.js";

/** The repository of Stile. */
export const repository = "https://github.com/stile-playground/stile";

/** The form of a new issue. */
export const issues = `${repository}/issues/new`;

/** The maximum length of a link in the address of the form, which GitHub limits to 8 kB. */
const MAX_LINK = 5_000;

/**
 * Returns the address of a new issue. It contains a link to the open workspace, unless the texts contain something
 * that looks like a key. Keys of endpoints are never part of a link.
 */
export async function reportAddress(playground: Playground): Promise<string> {
  const workspace = await linkFor(playground).catch(() => "The link could not be made.");
  const body = `What happened?\n\n\nWhat did you expect?\n\n\nWorkspace: ${workspace}\nVersion: ${playground.assets.version}\nBrowser: ${navigator.userAgent}\n`;
  return `${issues}?${new URLSearchParams({ body }).toString()}`;
}

async function linkFor(playground: Playground): Promise<string> {
  if (findSecrets(playground.store.state.files).length > 0) return "not included: a file may contain a key.";
  const link = await share(playground, false);
  return link.length > MAX_LINK ? "too large for a link; please attach the file that Save downloads." : link;
}
