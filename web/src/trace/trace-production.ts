import { html } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { saveText } from "../share/save-file.js";
import { checkFile, pipeline, type TraceCheck } from "./trace-command.js";
import type { File } from "../core/wire.js";
import "../ui/copy-button.js";
import "../share/guard.js";
import { LightElement, prop } from "../ui/light-element.js";

const COMMAND = "go run ./build call monitor.check < check.json";

/** The same check outside the page: in CI, and in the program that runs the agent. */
export class StileTraceProduction extends LightElement {
  @prop check!: TraceCheck;
  @prop files: readonly File[] = [];
  /** The detected format; "" if the trace was not read. */
  @prop read = "";
  @prop sound = true;
  @prop core!: Pick<CoreClient, "call">;

  protected override render(): unknown {
    const { check } = this;
    const files = pipeline(check, this.read);
    return html` <section class="verify-part" aria-labelledby="production-title">
      <h2 id="production-title">Check in production</h2>
      <div class="trace-part">
        <h3>The same check in your CI</h3>
        <p class="hint">
          <a class="text-link" href="docs/command.html" target="_blank" rel="noopener">The command stile</a> reads the
          current files and fails unless the verdict is valid: the worst of states, properties and unrecognised parts.
          It also checks folders of runs and compares specs. The other command repeats exactly this check in a checkout
          of Stile.
        </p>
        <div class="with-button command">
          <pre class="one-line" tabindex="0" aria-label="Command for files">${files}</pre>
          <stile-copy-button .text=${files} .what=${"the command for files"}></stile-copy-button>
        </div>
        <div class="with-button command">
          <pre class="one-line" tabindex="0" aria-label="Command for this check">${COMMAND}</pre>
          <stile-copy-button .text=${COMMAND} .what=${"the command"}></stile-copy-button>
          <button
            class="button small"
            type="button"
            ?disabled=${check.text.trim() === ""}
            @click=${() => saveText("check.json", checkFile(check), "application/json")}
          >
            Save check.json
          </button>
        </div>
      </div>
      <div class="trace-part">
        <h3>A guard for your agent</h3>
        <p class="hint">
          A program of under a hundred lines that contains <code>${check.agent.name}</code> and its properties. It
          checks each state before your agent acts and refuses invalid ones; it also checks a recorded text or
          conversation.
        </p>
        <stile-guard .spec=${check.agent} .files=${this.files} .core=${this.core} .sound=${this.sound}></stile-guard>
      </div>
    </section>`;
  }
}

customElements.define("stile-trace-production", StileTraceProduction);
