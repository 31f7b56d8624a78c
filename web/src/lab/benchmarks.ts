import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { KeptRun } from "../store/unfinished-runs.js";
import type { WorkspaceRequest } from "../run/run-command.js";
import type { Endpoint, Run } from "../store/state.js";
import { apibankFile, tripQueriesFile, tripRecordsFile } from "../store/benchmark-files.js";
import type { File } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "./apibank.js";
import "./benchmark-run.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "./problem-tasks.js";
import "./trip.js";

/** Files and number of tasks of each benchmark, by the core's name. */
const kits: Readonly<
  Record<string, { readonly tasks: number; readonly files: readonly (readonly [string, string])[] }>
> = {
  TravelPlanner: {
    tasks: 12,
    files: [
      [tripRecordsFile, "travelplanner/data.json"],
      [tripQueriesFile, "travelplanner/queries.json"],
    ],
  },
  "API-Bank": { tasks: 50, files: [[apibankFile, "apibank/level3.jsonl"]] },
};

/** The dialog of a benchmark: one task, or all tasks by several methods. */
export class StileBenchmarks extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** Loads a file of the benchmark's records. */
  @prop records!: (name: string) => Promise<string>;
  /** Name of the benchmark. */
  @prop name!: string;
  /** The last run of a benchmark, or null. */
  @prop run: Run | null = null;
  @prop endpoints: readonly Endpoint[] = [];
  @prop interrupted: readonly KeptRun[] = [];
  /** Whether the comparison is shown instead of a task. */
  @state compares = false;
  @state files: readonly File[] = [];
  @state fault = "";

  protected override render(): unknown {
    const openWorkspace = (e: CustomEvent<WorkspaceRequest>): void => this.emit("workspace-requested", e.detail);
    const part = (compares: boolean, label: string): unknown =>
      html`<button
        class="button small"
        type="button"
        aria-pressed=${this.compares === compares}
        @click=${() => this.#show(compares)}
      >
        ${label}
      </button>`;
    // Runs of a problem happen in its workspace.
    if (this.name === "LLMFP")
      return html`<stile-problem-tasks
        .core=${this.core}
        .records=${this.records}
        @workspace-requested=${openWorkspace}
      ></stile-problem-tasks>`;
    return html` <div class="row wrap bench-parts" role="group" aria-label="View of the benchmark">
        ${part(false, "A task")}${part(true, "Compare the methods")}
      </div>
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
      <div ?hidden=${this.compares}>
        ${
          this.name === "API-Bank"
            ? html`<stile-apibank
                .core=${this.core}
                .records=${this.records}
                @workspace-requested=${openWorkspace}
              ></stile-apibank>`
            : html`<stile-trip
                .core=${this.core}
                .records=${this.records}
                @workspace-requested=${openWorkspace}
              ></stile-trip>`
        }
      </div>
      ${
        !this.compares || this.files.length === 0
          ? nothing
          : html` <stile-contest
              .name=${this.name}
              .files=${this.files}
              .tasks=${kits[this.name]?.tasks ?? 0}
              .run=${this.run?.name === this.name ? this.run : null}
              .endpoints=${this.endpoints}
              .interrupted=${this.interrupted.filter((k) => k.title === this.name)}
            ></stile-contest>`
      }`;
  }

  async #show(compares: boolean): Promise<void> {
    this.compares = compares;
    if (!compares || this.files.length > 0) return;
    try {
      this.files = await Promise.all(
        (kits[this.name]?.files ?? []).map(async ([name, from]) => ({ name, text: await this.records(from) })),
      );
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }
}

customElements.define("stile-benchmarks", StileBenchmarks);
