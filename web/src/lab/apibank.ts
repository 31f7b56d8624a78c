import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { valueOf } from "../ui/form-input.js";
import type { WorkspaceRequest } from "../run/run-command.js";
import { apibankFile } from "../store/benchmark-files.js";
import type { ApibankTask, ApibankTasksResult } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "../run/calls.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/**
 * The tasks of API-Bank's level 3, which need several tools, with their gold calls and a check of the
 * person's own calls.
 */
export class StileApibank extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** Loads a file of the benchmark's records. */
  @prop records!: (name: string) => Promise<string>;
  @state known: ApibankTasksResult | null = null;
  @state chosen = 0;
  /** The calls as text. */
  @state text = "";
  @state response = "";
  @state fault = "";

  #tasks = "";

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#tasks === "") void this.#fetch();
  }

  protected override render(): unknown {
    const task = this.known?.tasks[this.chosen];
    if (task === undefined || this.known === null)
      return this.fault === ""
        ? html`<p class="empty" role="status">Loading the records…</p>`
        : html`<p class="fault" role="alert">${this.fault}</p>`;
    const { known } = this;
    const asGold = this.text === goldText(task) && this.response === task.response;
    return html` <p class="hint">
        The fifty tasks of API-Bank’s level 3 (Li et al. 2023): the model searches for a tool before it calls it. The
        tools answer with the recorded results of the gold calls.
      </p>
      <div class="trip">
        <div class="trip-asked">
          <form class="fields" aria-label="Task to answer" @submit=${(e: Event) => e.preventDefault()}>
            <label class="field wide"
              ><span>Task</span>
              <select @change=${(e: Event) => this.#open(Number(valueOf(e)))}>
                ${known.tasks.map((t, i) => html`<option value=${i} .selected=${i === this.chosen}>${t.sample}: ${t.requirement}</option>`)}
              </select></label
            >
            <p class="field wide api-asked">${task.requirement}</p>
            <label class="field wide"
              ><span>Calls</span>
              <textarea
                class="code"
                rows="10"
                spellcheck="false"
                placeholder="[ToolSearcher(keywords='meeting')], one call per line"
                .value=${this.text}
                @input=${(e: Event) => (this.text = valueOf(e))}
              ></textarea>
            </label>
            <label class="field wide"
              ><span>Answer</span>
              <textarea
                rows="5"
                .value=${this.response}
                @input=${(e: Event) => (this.response = valueOf(e))}
              ></textarea>
            </label>
          </form>
          <div class="row wrap">
            <button class="button small" type="button" ?disabled=${asGold} @click=${() => this.#gold(task)}>
              The gold calls
            </button>
            <button class="button small" type="button" @click=${() => void this.#team(task)}>
              Have a team answer it
            </button>
          </div>
          <details class="fold">
            <summary>The tools <span class="hint">${known.tools.length}</span></summary>
            <dl class="api-tools">
              ${known.tools.map(
                (t) =>
                  html`<div>
                    <dt><code>${t.name}</code></dt>
                    <dd>${t.description}${parameters(t.schema)}</dd>
                  </div>`,
              )}
            </dl>
          </details>
        </div>
        <div class="trip-found">
          ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
          <stile-calls
            .core=${this.core}
            .tasks=${this.#tasks}
            .sample=${task.sample}
            .text=${this.text}
            .response=${this.response}
          ></stile-calls>
        </div>
      </div>`;
  }

  async #fetch(): Promise<void> {
    try {
      const tasks = await this.records("apibank/level3.jsonl");
      const known = await this.core.call("apibank.tasks", { tasks });
      this.#tasks = tasks;
      this.known = known;
      this.#open(0);
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }

  #open(at: number): void {
    const task = this.known?.tasks[at];
    if (task === undefined) return;
    this.chosen = at;
    this.#gold(task);
  }

  #gold(task: ApibankTask): void {
    this.text = goldText(task);
    this.response = task.response;
  }

  /** Opens a workspace in which a team does the task; a simulated model makes the calls in the field. */
  async #team({ sample, requirement }: ApibankTask): Promise<void> {
    try {
      const { files, name, task } = await this.core.call("apibank.team", {
        tasks: this.#tasks,
        sample,
        text: this.text,
        response: this.response,
      });
      this.emit<WorkspaceRequest>("workspace-requested", {
        workspace: {
          title: requirement.slice(0, 60),
          files: [...files, { name: apibankFile, text: this.#tasks }],
          current: name,
        },
        task,
      });
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }
}

function goldText(task: ApibankTask): string {
  return task.calls.map((c) => c.text).join("\n");
}

/** Renders a tool's parameters. */
function parameters(schema: unknown): unknown {
  const names = Object.keys((schema as { readonly properties?: object }).properties ?? {});
  return names.length === 0 ? nothing : html` <span class="hint">takes ${names.join(", ")}</span>`;
}

customElements.define("stile-apibank", StileApibank);
