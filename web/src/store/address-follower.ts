import { clearAddress, showFragment } from "./address-bar.js";
import type { CoreClient } from "../core/core-client.js";
import type { Store } from "./store.js";

/** Milliseconds without typing before the address is written; browsers limit how often it changes. */
const DELAY = 400;
/** The maximum length of a fragment in the address, because the browser shows and copies the address. */
const MAX_FRAGMENT = 32_000;

/** Keeps a link to the edited workspace in the page's address, on request. */
export class AddressFollower {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly core: CoreClient,
  ) {}

  /** Writes the address after a pause in typing. */
  soon(delay = DELAY): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#write(), delay);
  }

  /** Removes the link from the address, and writes none until the next call of soon. */
  stop(): void {
    clearTimeout(this.#timer);
    clearAddress();
  }

  async #write(): Promise<void> {
    const { files, edited } = this.store.state;
    if (!edited) return; // the address already names the workspace
    try {
      const { findSecrets } = await import("../share/secrets.js");
      const { fragment } = await this.core.call("share.encode", { files: [...files] });
      if (this.store.state.files !== files) return; // a later edit writes its own link
      if (fragment.length > MAX_FRAGMENT || findSecrets(files).length > 0) clearAddress();
      else showFragment(fragment);
    } catch {
      clearAddress(); // an old link must not stay
    }
  }
}
