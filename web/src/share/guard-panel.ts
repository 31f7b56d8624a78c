import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { saveText } from "./save-file.js";
import type { File, GateDecision, GuardCompileResult } from "../core/wire.js";
import { guardCode, guardFile, uses } from "./guard-code.js";
import { npmFile, wheelFile } from "./guard-examples.js";
import { sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Milliseconds without typing before the guard is compiled again. */
const WRITE_DELAY = 300;

const site = (): string => new URL(".", document.baseURI).href;

/** A compiled guard of a spec: its file, the code that uses it, and a console that judges events by it. */
export class StileGuardPanel extends LightElement {
  @prop spec: File = { name: "", text: "" };
  /** The workspace, because a guard enforces its properties and rules, too. */
  @prop files: readonly File[] = [];
  @prop core!: Pick<CoreClient, "call">;
  @state guard: GuardCompileResult | null = null;
  /** The names of the files that the guard was compiled from. */
  @state sources: readonly string[] = [];
  @state fault = "";
  @state use = "JavaScript";
  @state events = "";
  @state decisions: readonly GateDecision[] = [];
  @state refusal = "";

  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override render(): unknown {
    const { guard } = this;
    const file = guardFile(this.spec.name);
    const { sources } = this;
    const code = guardCode(this.use, file, sources, site());
    return html` <p class="hint">
        One file that judges each call of your agent before it is made, with equal verdicts in every language.
        <a class="text-link" href="docs/guard.html" target="_blank" rel="noopener">Guards</a> documents it.
      </p>
      ${this.fault === "" ? nothing : html`<p class="hint" role="status">${sentence(this.fault)}</p>`}
      ${
        guard === null
          ? nothing
          : html` <div class="form-head">
                <h3><code>${file}</code></h3>
                <span class="hint">${Math.ceil(guard.text.length / 1000)} kB</span>
                <button
                  class="button small"
                  type="button"
                  @click=${() => saveText(file, guard.text, "application/json")}
                >
                  Get ${file}
                </button>
              </div>
              <p class="hint">
                It contains ${sources.join(", ")}. Install the runtime:
                <a class="text-link" href="packages/${npmFile}" download>npm</a>,
                <a class="text-link" href="packages/${wheelFile}" download>pip</a>, or the
                <a class="text-link" href="docs/downloads.html" target="_blank" rel="noopener">program stile</a>.
              </p>
              <div class="row wrap">
                <label class="field narrow"
                  ><span>Use it in</span
                  ><select @change=${(e: Event) => (this.use = (e.target as HTMLSelectElement).value)}>
                    ${uses.map(({ group, titles }) => html`<optgroup label=${group}>${titles.map((title) => html`<option ?selected=${title === this.use}>${title}</option>`)}</optgroup>`)}
                  </select></label
                >
                <stile-copy-button .text=${code} .what=${"the code"}></stile-copy-button>
                <a class="text-link" href="docs/guard-adapters.html" target="_blank" rel="noopener">Adapters</a>
              </div>
              <pre class="prompt" tabindex="0" aria-label="Code that uses the guard">${code}</pre>
              <label class="field"
                ><span>Events, one per line</span
                ><textarea
                  rows="4"
                  spellcheck="false"
                  .value=${this.events}
                  @input=${(e: Event) => (this.events = (e.target as HTMLTextAreaElement).value)}
                ></textarea></label
              ><button class="button small" type="button" @click=${() => void this.#judge()}>Judge</button>
              ${this.refusal === "" ? nothing : html`<p class="fault" role="alert"><span>${sentence(this.refusal)}</span></p>`}
              <ol aria-label="Decisions" aria-live="polite">
                ${this.decisions.map((d) => html`<li><strong class=${d.verdict === "allow" ? "" : "tone-warning"}>${d.verdict}</strong> ${d.reason}${d.at !== undefined && d.verdict !== "allow" ? ` (byte ${d.at})` : ""} <span class="hint">Next: ${d.next.join(", ") || "none"}${d.mayEnd ? ", or the end" : ""}</span></li>`)}
              </ol>`
      }`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("spec") && !changed.has("files")) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#compile(), this.guard === null ? 0 : WRITE_DELAY);
  }

  async #compile(): Promise<void> {
    const { spec, files } = this;
    try {
      const guard = await this.core.call("guard.compile", { files: [...files], options: { only: spec.name } });
      if (spec.name !== this.spec.name || files !== this.files) return;
      if (this.guard?.text === guard.text) return;
      this.guard = guard;
      const { sources, rules } = JSON.parse(guard.text) as {
        sources: { name: string }[];
        rules: unknown[] | null;
      };
      this.sources = sources.map(({ name }) => name);
      const time = (rules ?? []).length === 0 ? "" : ', "time": 0';
      this.fault = "";
      this.decisions = [];
      const asked = '{"kind": "message", "name": "user", "content": "hello"' + time + "}";
      const { decisions, next } = await this.core.call("guard.decide", {
        guard: guard.text,
        operations: [{ op: "record", event: asked }],
      });
      if (this.guard !== guard || this.events !== "") return;
      const first = decisions[0];
      const call = `{"name": ${JSON.stringify((first?.verdict === "allow" ? next[0] : undefined) ?? "TOOL")}, "arguments": {}, "id": "1"${time}}`;
      this.events = first?.verdict === "allow" ? `${asked}\n${call}` : call;
    } catch (reason) {
      if (spec.name !== this.spec.name || files !== this.files) return;
      this.guard = null;
      this.fault = reason instanceof Error ? reason.message : String(reason);
    }
  }

  /** Judges the events from the beginning: calls before they are made, parts of texts, other events as they happened. */
  async #judge(): Promise<void> {
    const { guard } = this;
    if (guard === null) return;
    const operations = this.events
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((event) => ({
        op: operationOf(event),
        event,
      }));
    try {
      const { decisions } = await this.core.call("guard.decide", { guard: guard.text, operations });
      if (guard !== this.guard) return;
      this.decisions = decisions;
      this.refusal = "";
    } catch (reason) {
      this.decisions = [];
      this.refusal = reason instanceof Error ? reason.message : String(reason);
    }
  }
}

/** Returns the operation for a line of events: parts of texts are fed, calls are judged, and other events are recorded. */
function operationOf(event: string): "feed" | "record" | "allow" {
  let kind: unknown;
  try {
    kind = (JSON.parse(event) as { kind?: unknown } | null)?.kind;
  } catch {
    return "allow"; // which reports the syntax error
  }
  return kind === "text" ? "feed" : kind === undefined ? "allow" : "record";
}

customElements.define("stile-guard-panel", StileGuardPanel);
