import { html } from "lit";
import type { CoreClient } from "../core-client.js";
import { saveText } from "../save-text.js";
import { checkFile, pipeline, type TraceCheck } from "../trace-command.js";
import type { File } from "../wire.js";
import "./copy-button.js";
import "./guard.js";
import { LightElement } from "./light-element.js";

const COMMAND = "go run ./build call monitor.check < check.json";

/** The same check outside the page: in CI, and in the program that runs the agent. */
export class StileTraceProduction extends LightElement {
  static override properties = { check: { attribute: false }, files: { attribute: false }, read: { attribute: false }, sound: { attribute: false }, core: { attribute: false } };
  declare check: TraceCheck;
  declare files: readonly File[];
  /** What the trace was read as; "" where it was not read. */
  declare read: string;
  declare sound: boolean;
  declare core: Pick<CoreClient, "call">;

  constructor() {
    super();
    this.files = [];
    this.read = "";
    this.sound = true;
  }

  protected override render(): unknown {
    const { check } = this;
    const files = pipeline(check, this.read);
    return html`
      <section class="verify-part" aria-labelledby="production-title">
        <h2 id="production-title">Keep it in production</h2>
        <div class="trace-part">
          <h3>The same check in your CI</h3>
          <p class="hint">In a checkout of Stile. The first answers this very check; the second, with jq, reads the files as they are then, and fails unless the verdict is valid: the worst of states, properties and parts that are not understood.</p>
          <div class="with-button command"><pre class="one-line" tabindex="0" aria-label="Command for this check">${COMMAND}</pre><stile-copy-button .text=${COMMAND} .what=${"the command"}></stile-copy-button>
            <button class="button small" type="button" ?disabled=${check.text.trim() === ""} @click=${() => saveText("check.json", checkFile(check), "application/json")}>Save check.json</button></div>
          <div class="with-button command"><pre class="one-line" tabindex="0" aria-label="Commands for files">${files}</pre><stile-copy-button .text=${files} .what=${"the commands"}></stile-copy-button></div>
        </div>
        <div class="trace-part">
          <h3>A guard beside your agent</h3>
          <p class="hint">A program of under a hundred lines that contains <code>${check.agent.name}</code> and the properties about it. It takes each state with its content before your agent acts and refuses what may not come; it also checks a recorded text or conversation.</p>
          <stile-guard .spec=${check.agent} .files=${this.files} .core=${this.core} .sound=${this.sound}></stile-guard>
        </div>
      </section>`;
  }
}

customElements.define("stile-trace-production", StileTraceProduction);
