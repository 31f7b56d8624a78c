import { overLimit, savedAfter } from "./drafts.js";
import type { Draft } from "./state.js";
import * as storage from "./storage.js";
import type { Store } from "./store.js";

/** Milliseconds without typing before the draft is saved. */
const SAVE_DELAY = 250;

/** Saves the drafts on this device. In an embed, it saves nothing. */
export class DraftKeeper {
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The slot of this tab's draft; "" until it is claimed, and in an embed. */
  #slot = "";
  /** The time of the last save. It always increases, even if the clock is set back. */
  #savedAt = 0;

  constructor(
    private readonly store: Store,
    /** Asks the person to delete drafts when the limit is exceeded. */
    private readonly askForRoom: () => void,
    private readonly toast: (text: string, tone: "bad") => void,
    private readonly embedded: boolean,
  ) {}

  /** Saves to a slot from now on. */
  claimed(slot: string, savedAt: number): void {
    this.#slot = slot;
    this.#savedAt = savedAt;
  }

  /** Returns the open workspace as a draft. */
  draft(): Draft {
    const { title, files, current, example, edited, drafts, settings } = this.store.state;
    return {
      title,
      files,
      current,
      edited,
      task: settings.task,
      savedAt: (this.#savedAt = Math.max(this.#savedAt + 1, savedAfter(drafts, Date.now()))),
      ...(example !== undefined && { example }),
    };
  }

  /** Adds an edited draft to the earlier ones. */
  keep(draft: Draft): void {
    if (!draft.edited || this.embedded) return;
    this.store.keptDraft(draft);
    void storage
      .addDrafts([draft])
      .then(
        (kept) =>
          kept === "yes" ||
          this.toast(
            `“${draft.title}” could not be saved: ${storage.unsaved[kept]}. It stays under Examples until you leave this page.`,
            "bad",
          ),
      );
    if (overLimit(this.store.state.drafts).length > 0) this.askForRoom();
  }

  /** Saves the open workspace once nobody types. */
  saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), SAVE_DELAY);
  }

  async save(): Promise<void> {
    if (this.#slot === "") return;
    const { revision } = this.store.state;
    this.store.savingChanged("saving");
    const draft = this.draft();
    const ended = (kept: storage.Kept): void => {
      if (this.store.state.revision !== revision) return;
      if (kept === "yes") storage.forgetHurried(this.#slot);
      else storage.hurryDraft(this.#slot, draft);
      this.store.savingChanged(kept);
    };
    ended(await storage.rememberDraft(this.#slot, draft, ended));
  }

  /** Saves the last edits when the page is left. */
  hurry(): void {
    const { saved, edited } = this.store.state;
    if (saved === "yes" || !edited || this.#slot === "") return;
    storage.hurryDraft(this.#slot, this.draft());
    void this.save();
  }
}
