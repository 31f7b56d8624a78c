import { html, nothing } from "lit";
import type { CoreClient } from "../core-client.js";
import type { KeptRun } from "../kept-runs.js";
import type { BenchmarkWish } from "../run-wish.js";
import type { Endpoint, Run } from "../state.js";
import { apibankFile, tripQueriesFile, tripRecordsFile } from "../trip-files.js";
import type { File } from "../wire.js";
import { sentence } from "../words.js";
import "./apibank.js";
import "./contest.js";
import { LightElement } from "./light-element.js";
import "./problem-tasks.js";
import "./trip.js";

/** What there is to be fetched of a benchmark, by the names that the core knows it by; and how many tasks it has. */
const kits: Readonly<Record<string, { readonly tasks: number; readonly files: readonly (readonly [string, string])[] }>> = {
  TravelPlanner: { tasks: 12, files: [[tripRecordsFile, "travelplanner/data.json"], [tripQueriesFile, "travelplanner/queries.json"]] },
  "API-Bank": { tasks: 50, files: [[apibankFile, "apibank/level3.jsonl"]] },
};

/** A benchmark's window: a task of it, or all of them by several methods. */
export class StileBenchmarks extends LightElement {
  static override properties = {
    core: { attribute: false }, records: { attribute: false }, name: { attribute: false }, run: { attribute: false }, endpoints: { attribute: false }, interrupted: { attribute: false },
    compares: { state: true }, files: { state: true }, fault: { state: true },
  };
  declare core: Pick<CoreClient, "call">;
  /** Fetches a file of the benchmark's records. */
  declare records: (name: string) => Promise<string>;
  /** The benchmark's. */
  declare name: string;
  /** The last run of a benchmark, or null. */
  declare run: Run | null;
  declare endpoints: readonly Endpoint[];
  declare interrupted: readonly KeptRun[];
  /** The comparison is shown, and not a task. */
  declare compares: boolean;
  declare files: readonly File[];
  declare fault: string;

  constructor() {
    super();
    this.run = null;
    this.endpoints = [];
    this.interrupted = [];
    this.compares = false;
    this.files = [];
    this.fault = "";
  }

  protected override render(): unknown {
    const wished = (e: CustomEvent<BenchmarkWish>): void => this.emit("workspace-wished", e.detail);
    const part = (compares: boolean, label: string): unknown => html`<button class="button small" type="button" aria-pressed=${this.compares === compares} @click=${() => this.#show(compares)}>${label}</button>`;
    // What is run of a problem is run in its workspace.
    if (this.name === "LLMFP") return html`<stile-problem-tasks .core=${this.core} .records=${this.records} @workspace-wished=${wished}></stile-problem-tasks>`;
    return html`
      <div class="row wrap bench-parts" role="group" aria-label="What is shown of the benchmark">${part(false, "A task")}${part(true, "Compare the methods")}</div>
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
      <div ?hidden=${this.compares}>${this.name === "API-Bank"
        ? html`<stile-apibank .core=${this.core} .records=${this.records} @workspace-wished=${wished}></stile-apibank>`
        : html`<stile-trip .core=${this.core} .records=${this.records} @workspace-wished=${wished}></stile-trip>`}</div>
      ${!this.compares || this.files.length === 0 ? nothing : html`
        <stile-contest .name=${this.name} .files=${this.files} .tasks=${kits[this.name]?.tasks ?? 0} .run=${this.run?.name === this.name ? this.run : null} .endpoints=${this.endpoints}
          .interrupted=${this.interrupted.filter((k) => k.title === this.name)}></stile-contest>`}`;
  }

  async #show(compares: boolean): Promise<void> {
    this.compares = compares;
    if (!compares || this.files.length > 0) return;
    try {
      this.files = await Promise.all((kits[this.name]?.files ?? []).map(async ([name, from]) => ({ name, text: await this.records(from) })));
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }
}

customElements.define("stile-benchmarks", StileBenchmarks);
