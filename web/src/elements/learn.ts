import { html } from "lit";
import type { CoreClient } from "../core-client.js";
import type { KeptRun } from "../kept-runs.js";
import type { Run } from "../store.js";
import type { File } from "../wire.js";
import { LightElement } from "./light-element.js";

/** Learning from feedback: small models whose plans get better by how they are judged. */
export class StileLearn extends LightElement {
  static override properties = { core: { attribute: false }, files: { attribute: false }, records: { attribute: false }, run: { attribute: false }, interrupted: { attribute: false } };
  declare core: Pick<CoreClient, "call">;
  /** Of the workspace. */
  declare files: readonly File[];
  /** Fetches a text that the site has beside its gallery. */
  declare records: (name: string) => Promise<string>;
  /** The last run of kind "learn", or null. */
  declare run: Run | null;
  declare interrupted: readonly KeptRun[];

  protected override render(): unknown {
    return html`<h2>Learning from feedback</h2>`;
  }
}

customElements.define("stile-learn", StileLearn);
