import { base64 } from "../core/base64.js";
import type { CoreClient } from "../core/core-client.js";
import type { Example, Workspace } from "./state.js";
import type { Store } from "./store.js";

/** The files of the gallery's examples. */
export class Gallery {
  /** The address of their folder. */
  readonly folder: string;
  #list: Promise<readonly Example[]> | undefined;

  constructor(
    private readonly store: Store,
    private readonly core: CoreClient,
    address: string,
  ) {
    this.folder = address.endsWith("/") ? address : address.replace(/[^/]*$/, "");
  }

  /** Loads a file, or throws an error with the status that the server responded. */
  async fetch(name: string, fault = ""): Promise<Response> {
    const response = await fetch(new URL(name, this.folder));
    if (!response.ok) throw new Error(`${fault}the server responded ${response.status}`);
    return response;
  }

  /** Loads the list, once. */
  list(): Promise<readonly Example[]> {
    this.#list ??= this.fetch("index.json")
      .then((reply) => reply.json() as Promise<readonly Example[]>)
      .catch((reason: unknown) => {
        this.#list = undefined; // the next call tries again
        throw reason;
      });
    return this.#list;
  }

  /** Loads an example. The error is a sentence; for an unknown example it lists similar ids. */
  async workspace(id: string): Promise<Workspace> {
    const list = await this.list();
    this.store.galleryArrived(list);
    const found = list.find((e) => e.id === id);
    if (found === undefined) {
      const { unknownExample } = await import("./similar-example.js");
      throw new Error(unknownExample(id, list));
    }
    const name = `${id}.txtar`;
    const archive = await (await this.fetch(name)).arrayBuffer();
    const { files } = await this.core.call("workspace.import", { name, base64: base64(archive) });
    return { title: found.title, files, current: found.main, example: id, task: found.task ?? "" };
  }

  /** Loads the list and, on a first visit, the notes of the first example. */
  async load(fresh: boolean): Promise<void> {
    try {
      const gallery = await this.list();
      this.store.galleryArrived(gallery);
      const { example, files, settings } = this.store.state;
      const found = gallery.find((e) => e.id === example);
      if (found === undefined) return;
      if (settings.task === "") this.store.settingsChanged({ task: found.task ?? "" });
      // The first response contains only the example's spec; its notes follow.
      if (!fresh || files.length !== 1) return;
      const opened = await this.workspace(found.id);
      const now = this.store.state;
      const mine = now.files[0];
      // Edits made meanwhile are kept.
      if (now.example === found.id && now.files.length === 1 && mine?.name === found.main) {
        this.store.completedWorkspace({
          ...opened,
          files: opened.files.map((f) => (f.name === mine.name ? mine : f)),
        });
      }
    } catch {
      // The page works without its gallery; opening it reports the failure.
    }
  }
}
