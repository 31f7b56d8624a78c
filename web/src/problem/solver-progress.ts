import { html, nothing, type PropertyValues } from "lit";
import type { SolverProgress } from "../core/core-protocol.js";
import { iconStop } from "../ui/panel-icons.js";
import { sendCommand } from "../run/run-command.js";
import { bytes } from "./solver-number.js";
import { LightElement, prop, state } from "../ui/light-element.js";

const names: Readonly<Record<string, string>> = { z3: "Z3", highs: "HiGHS" };

/** The solver's state and time, with a button to stop it. */
export class StileSolverProgress extends LightElement {
  @prop progress: SolverProgress | null = null;
  /** The query in words. */
  @prop asked = "";
  /** The time limit in milliseconds; 0 for the default. */
  @prop limit = 0;
  @state seconds = 0;

  #began = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#began = performance.now();
    this.#timer = setInterval(() => (this.seconds = Math.floor((performance.now() - this.#began) / 1000)), 250);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("progress") as SolverProgress | null | undefined;
    if ((changed.has("progress") && before?.state !== this.progress?.state) || changed.has("asked")) {
      this.#began = performance.now();
      this.seconds = 0;
    }
  }

  protected override render(): unknown {
    const { progress } = this;
    const name = names[progress?.solver ?? ""] ?? "The solver";
    const state = progress?.state ?? "idle";
    return html` <div class="solver-progress" data-solver=${state}>
      <span class="spinner" aria-hidden="true"></span>
      <p>
        <strong>${name}</strong>
        <span role="status"
          >${{ fetching: "is downloading", starting: "starts", solving: "is running", idle: "is starting" }[state]}</span
        >
        ${this.asked === "" ? nothing : html`<span class="hint">${this.asked}</span>`}
      </p>
      ${
        state === "fetching" && progress !== null
          ? html`<span class="solver-bar"
              ><progress max=${progress.total} value=${progress.loaded} aria-label="${name} is downloading"></progress>
              <span class="hint">${bytes(progress.loaded)} of ${bytes(progress.total)}</span></span
            >`
          : html`<span class="solver-bar"
              >${this.limit > 0 ? html`<progress max=${this.limit / 1000} value=${this.seconds} aria-label="Time of the solver"></progress>` : nothing}
              <span class="hint"
                >${this.seconds} s${this.limit > 0 ? ` of ${Math.round(this.limit / 1000)} s` : ""}</span
              ></span
            >`
      }
      <button class="button small" type="button" @click=${() => sendCommand(this, { command: "cancel" })}>
        ${iconStop} Stop
      </button>
    </div>`;
  }
}

customElements.define("stile-solver-progress", StileSolverProgress);
