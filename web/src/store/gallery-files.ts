import { base64 } from "../core/base64.js";
import type { CoreClient } from "../core/core-client.js";
import type { Example } from "./state.js";
import type { Store } from "./store.js";

/** The files of the gallery's examples. */
export class Gallery {
  /** The address of their folder. */
  readonly folder: string;

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

  async list(): Promise<readonly Example[]> {
    return (await (await this.fetch("index.json")).json()) as Example[];
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
      const name = `${found.id}.txtar`;
      const archive = await (await this.fetch(name)).arrayBuffer();
      const opened = await this.core.call("workspace.import", { name, base64: base64(archive) });
      const now = this.store.state;
      const mine = now.files[0];
      // Edits made meanwhile are kept.
      if (now.example === found.id && now.files.length === 1 && mine?.name === found.main) {
        this.store.completedWorkspace({
          title: found.title,
          files: opened.files.map((f) => (f.name === mine.name ? mine : f)),
          current: found.main,
          example: found.id,
        });
      }
    } catch {
      // The page works without its gallery; opening it reports the failure.
    }
  }
}
