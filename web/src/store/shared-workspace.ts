import { clearAddress } from "./address-bar.js";
import { sameFiles } from "./drafts.js";
import { faultOf, isLost, isUnloaded, messageOf } from "./faults.js";
import type { Playground } from "./playground.js";
import type { Workspace } from "./state.js";
import type { File, RunLog } from "../core/wire.js";
import { sentence } from "../ui/text.js";

/** Loads a workspace, and the run to replay in it; null if the address names none. */
type Load = () => Promise<{ readonly workspace: Workspace; readonly log: RunLog | null } | null>;

/** The workspace that the page's address contains or names. */
export class SharedWorkspace {
  /** Whether the open workspace came with the address and is unchanged. */
  #shown = false;
  /** Counts the addresses that were read and the workspaces that were opened; only the last one is shown. */
  #turn = 0;
  /** The load that failed because the core did not load. */
  #unread: Load | undefined;

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
    await this.#openFrom(async () => {
      const { files, main, log } = await this.playground.core.call("share.decode", { fragment });
      const current = files.some((f) => f.name === log?.name) ? (log?.name ?? main) : main;
      return { workspace: { title: `${main}, from a link`, files, current }, log: log ?? null };
    });
  }

  /** Opens the workspace at the URL, gist or example that the address names. */
  async #openSource(): Promise<void> {
    await this.#openFrom(async () => {
      const example = new URLSearchParams(location.search).get("example");
      if (example !== null) return { workspace: await this.playground.exampleNamed(example), log: null };
      const { fetchWorkspace, sourceOf } = await import("./workspace-source.js");
      const source = sourceOf(location.search);
      return source === null ? null : { workspace: await fetchWorkspace(source, this.playground.core), log: null };
    });
  }

  /** Opens the address's workspace after the core was restarted, if the core had not loaded before. */
  retry(): void {
    const load = this.#unread;
    this.#unread = undefined;
    if (load !== undefined) void this.#openFrom(load);
  }

  /** Loads and opens a workspace, unless another is opened or requested meanwhile. */
  async #openFrom(load: Load, again = false): Promise<void> {
    const { files: before } = this.playground.store.state;
    let turn = ++this.#turn;
    try {
      const found = await load();
      if (found === null || turn !== this.#turn) return;
      const opened = await this.#open(found.workspace, before);
      turn = this.#turn;
      if (opened && found.log !== null) await this.playground.play(found.workspace.files, found.log);
    } catch (reason) {
      if (turn !== this.#turn) return;
      if (!isLost(reason)) this.#refuse(reason);
      else if (isUnloaded(reason)) this.#unread = load;
      else if (again || faultOf(reason).code === "module.silent")
        this.#refuse(reason); // the client sent it twice
      else await this.#openFrom(load, true);
    }
  }

  #refuse(reason: unknown): void {
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
    this.#turn++;
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
