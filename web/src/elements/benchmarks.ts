import { html } from "lit";
import type { CoreClient } from "../core-client.js";
import type { Workspace } from "../store.js";
import "./apibank.js";
import { LightElement } from "./light-element.js";
import "./trip.js";

/** A workspace that a person wants opened, and what is to be done in it. */
export interface BenchmarkWish {
  readonly workspace: Workspace;
  readonly task: string;
}

/** A benchmark's window. */
export class StileBenchmarks extends LightElement {
  static override properties = { core: { attribute: false }, records: { attribute: false }, name: { attribute: false } };
  declare core: Pick<CoreClient, "call">;
  /** Fetches a file of the benchmark's records. */
  declare records: (name: string) => Promise<string>;
  /** The benchmark's. */
  declare name: string;

  protected override render(): unknown {
    const wished = (e: CustomEvent<BenchmarkWish>): void => this.emit("workspace-wished", e.detail);
    return this.name === "API-Bank"
      ? html`<stile-apibank .core=${this.core} .records=${this.records} @workspace-wished=${wished}></stile-apibank>`
      : html`<stile-trip .core=${this.core} .records=${this.records} @workspace-wished=${wished}></stile-trip>`;
  }
}

customElements.define("stile-benchmarks", StileBenchmarks);
