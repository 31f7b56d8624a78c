import { html, nothing } from "lit";
import { iconClose } from "../ui/icons.js";
import { type FinishedRun, history, MAX_BYTES } from "../store/run-history.js";
import { sendCommand } from "./run-command.js";
import { count } from "../ui/text.js";
import { LightElement, state } from "../ui/light-element.js";

/** The number of runs that are listed at first. */
const LISTED = 30;

/** The finished runs on this device: to open, pin and delete. */
export class StileFinishedRuns extends LightElement {
  @state private runs: readonly FinishedRun[] = history.list ?? [];
  @state private all = false;

  override connectedCallback(): void {
    super.connectedCallback();
    history.addEventListener("change", this.#changed);
    void history.read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    history.removeEventListener("change", this.#changed);
  }

  protected override render(): unknown {
    const { runs } = this;
    if (runs.length === 0) return nothing;
    const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
    return html` <details
      class="finished-runs"
      @toggle=${(e: ToggleEvent) => e.newState === "open" && void history.read()}
    >
      <summary>Earlier runs on this device <span class="hint">${runs.length}, ${size(bytes)}</span></summary>
      <ul class="finished-list" aria-label="Earlier runs">
        ${(this.all ? runs : runs.slice(0, LISTED)).map((run) => this.#run(run))}
      </ul>
      <div class="row wrap">
        ${this.all || runs.length <= LISTED ? nothing : html`<button class="button small" type="button" @click=${() => (this.all = true)}>Show all ${runs.length}</button>`}
        <button
          class="button small"
          type="button"
          ?disabled=${runs.every((run) => run.pinned)}
          @click=${() => sendCommand(this, { command: "clear-finished" })}
        >
          Delete all that are not pinned
        </button>
        <span class="hint"
          >This device keeps ${size(MAX_BYTES)} of runs. Older ones are removed first; pinned ones stay. Keys are never
          kept with a run.</span
        >
      </div>
    </details>`;
  }

  #run(run: FinishedRun): unknown {
    const when = new Date(run.at).toLocaleString();
    const facts = [run.model, run.calls === 0 ? "" : count(run.calls, "call"), when]
      .filter((fact) => fact !== "")
      .join(" · ");
    return html` <li data-finished=${run.id}>
      <button
        class="finished-link"
        type="button"
        @click=${() => sendCommand(this, { command: "open-finished", id: run.id })}
      >
        <span class="finished-name">${run.title}</span> <span class="finished-outcome">${run.outcome}</span>
        <small class="hint"><code>${run.name}</code> · ${facts}</small>
      </button>
      <button
        class="button small"
        type="button"
        aria-pressed=${run.pinned}
        aria-label="Pin the run of ${run.name}, ${when}"
        @click=${() => sendCommand(this, { command: "pin-finished", id: run.id, pinned: !run.pinned })}
      >
        ${run.pinned ? "Pinned" : "Pin"}
      </button>
      <button
        class="icon-button small"
        type="button"
        title="Delete the run"
        aria-label="Delete the run of ${run.name}, ${when}"
        @click=${() => sendCommand(this, { command: "delete-finished", id: run.id })}
      >
        ${iconClose}
      </button>
    </li>`;
  }

  #changed = (): void => {
    this.runs = history.list ?? [];
  };
}

function size(bytes: number): string {
  return bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / (1 << 20))} MB`;
}

customElements.define("stile-finished-runs", StileFinishedRuns);
