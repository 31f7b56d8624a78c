import { addressOf } from "./address-bar.js";
import type { Draft, Workspace } from "./state.js";
import type { File } from "../core/wire.js";

/** Milliseconds without typing before an entry is written; browsers limit how often that happens. */
const DELAY = 400;

/** The part of an entry's state that this page writes. */
interface Entry {
  readonly stile?: number;
  /** The fingerprint of its edited workspace. */
  readonly texts?: number;
}

/**
 * The workspaces of the entries in the browser's history. Each workspace that a person opens has an
 * entry, so that Back returns to the previous workspace, with its edits.
 */
export class WorkspaceHistory {
  /** The workspaces of the entries that were left during this visit. */
  readonly #left = new Map<number, Draft>();
  #key: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    /** Returns the open workspace. */
    private readonly open: () => Draft,
    /** Returns the drafts on this device. */
    private readonly drafts: () => readonly Draft[],
    /** Opens a workspace of an entry; returns false if the person stays. */
    private readonly reopen: (draft: Draft) => Promise<boolean>,
    /** Opens the workspace that the address names. */
    private readonly openAddress: () => Promise<void>,
  ) {
    this.#key = entry().stile ?? Date.now();
    this.#mark({});
    window.addEventListener("popstate", () => void this.#travelled());
  }

  /** Adds an entry for a workspace that is about to replace the open one. */
  push(next: Workspace): void {
    const left = this.open();
    this.#left.set(this.#key, left);
    if (left.edited) this.#mark({ texts: fingerprint(left.files) });
    clearTimeout(this.#timer);
    this.#key = Math.max(this.#key + 1, Date.now());
    history.pushState({ stile: this.#key }, "", addressOf(next.example));
  }

  /** Called after an edit: writes a fingerprint by which the entry finds the draft after a reload. */
  edited(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#mark({ texts: fingerprint(this.open().files) }), DELAY);
  }

  #mark(more: Entry): void {
    history.replaceState({ ...entry(), stile: this.#key, ...more }, "", location.href);
  }

  async #travelled(): Promise<void> {
    const { stile, texts } = entry();
    const before = this.#key;
    if (stile === before) return;
    clearTimeout(this.#timer);
    const left = this.open();
    this.#left.set(before, left);
    this.#key = stile ?? Math.max(before + 1, Date.now());
    if (stile === undefined) this.#mark({});
    if (location.hash.length > 1) return; // its link is opened as in a new tab
    const draft = this.#left.get(this.#key) ?? this.drafts().find((d) => fingerprint(d.files) === texts);
    if (draft === undefined) return this.openAddress();
    if (await this.reopen(draft)) return;
    // The person keeps the open workspace because of its live runs.
    this.#key = Math.max(this.#key, before) + 1;
    history.pushState({ stile: this.#key }, "", addressOf(left.edited ? undefined : left.example));
  }
}

/** Returns a hash of names and texts. */
function fingerprint(files: readonly File[]): number {
  let sum = 0;
  for (const { name, text } of files) {
    const all = `${name}\0${text}\0`;
    for (let i = 0; i < all.length; i++) sum = (Math.imul(sum, 31) + all.charCodeAt(i)) | 0;
  }
  return sum;
}

function entry(): Entry {
  return (history.state as Entry | null) ?? {};
}
