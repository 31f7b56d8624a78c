import { clearAddress } from "./address-bar.js";
import { sameFiles } from "./drafts.js";
import { isLost, messageOf } from "./faults.js";
import type { Playground } from "./playground.js";
import type { Workspace } from "./state.js";
import type { File } from "../core/wire.js";
import { sentence } from "../ui/text.js";

/** The workspace that the page's address contains or names. */
export class SharedWorkspace {
  /** Whether the open workspace came with the address and is unchanged. */
  #shown = false;

  /** Reports whether the open workspace came with the address and is unchanged. */
  get shown(): boolean {
    return this.#shown;
  }

  constructor(
    private readonly playground: Pick<
      Playground,
      "core" | "store" | "draft" | "open" | "play" | "reopen" | "exampleNamed"
    >,
  ) {}

  /** Opens the address's workspace, if it has one. */
  async openAddress(): Promise<void> {
    if (location.hash.length > 1) await this.openLink(location.hash);
    else if (/[?&](?:url|gist|example)=/.test(location.search)) await this.#openSource();
  }

  /** Opens a link's workspace, and replays its run. */
  async openLink(fragment: string): Promise<void> {
    const { core, store } = this.playground;
    const { files: before } = store.state;
    try {
      const { files, main, log } = await core.call("share.decode", { fragment });
      const current = files.some((f) => f.name === log?.name) ? (log?.name ?? main) : main;
      const opened = await this.#open({ title: `${main}, from a link`, files, current }, before);
      if (opened && log !== undefined && log !== null) await this.playground.play(files, log);
    } catch (reason) {
      this.#refuse(reason);
    }
  }

  /** Opens the workspace at the URL, gist or example that the address names. */
  async #openSource(): Promise<void> {
    const { core, store } = this.playground;
    const { files: before } = store.state;
    try {
      const example = new URLSearchParams(location.search).get("example");
      if (example !== null) return void (await this.#open(await this.playground.exampleNamed(example), before));
      const { fetchWorkspace, sourceOf } = await import("./workspace-source.js");
      const source = sourceOf(location.search);
      if (source !== null) await this.#open(await fetchWorkspace(source, core), before);
    } catch (reason) {
      this.#refuse(reason);
    }
  }

  #refuse(reason: unknown): void {
    if (isLost(reason)) return;
    clearAddress();
    this.playground.store.showedBanner({
      tone: "bad",
      text: `${sentence(messageOf(reason))} Your own text is unchanged.`,
    });
  }

  /** Opens a shared workspace, unless it is already known; it never replaces a draft. */
  async #open(workspace: Workspace, before: readonly File[]): Promise<boolean> {
    const { store } = this.playground;
    const mine = this.playground.draft();
    if (sameFiles(before, workspace.files)) {
      // The first edit clears the address; it may have happened while the link was read.
      this.#shown = store.state.files === before;
      if (!this.#shown) clearAddress();
      return true;
    }
    if (!(await this.playground.open(workspace, "link"))) {
      clearAddress();
      return false;
    }
    if (mine.edited)
      store.showedBanner({
        tone: "plain",
        text: `This is the shared workspace. Your draft “${mine.title}” is kept.`,
        actions: [{ label: "Back to my draft", act: () => void this.playground.reopen(mine) }],
      });
    return true;
  }

  /** Called when another workspace is opened; `named` reports whether the address names it. */
  opened(named: boolean): void {
    this.#shown = named;
    if (!named) clearAddress();
  }

  /** Called after an edit, when the address no longer matches the workspace. */
  edited(): void {
    if (!this.#shown) return;
    this.#shown = false;
    clearAddress();
  }
}
