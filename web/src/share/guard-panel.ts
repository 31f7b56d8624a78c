import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { saveText } from "./save-file.js";
import type { File, GateDecision, GuardCompileResult } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Milliseconds without typing before the guard is compiled again. */
const WRITE_DELAY = 300;

/** The version of the packages that this site serves. */
const VERSION = "1.2.0";

const languages = ["JavaScript", "Python", "Go", "Any other"] as const;
type Language = (typeof languages)[number];

/** The program that asks a guard before each call. */
function program(language: Language, file: string): string {
  const site = new URL(".", document.baseURI).href;
  switch (language) {
    case "JavaScript":
      return `// npm install ${site}packages/stile-guard-${VERSION}.tgz
import { readFile } from "node:fs/promises";
import { Guard } from "stile-guard";

const session = Guard.read(await readFile("${file}", "utf8")).begin();
session.record({ kind: "message", name: "user", content: question });
const decision = session.allow({ name: tool, arguments: input, id });
if (decision.verdict !== "allow") throw new Error(decision.reason);
session.record({ kind: "result", id, content: output });
`;
    case "Python":
      return `# pip install ${site}packages/stile_guard-${VERSION}-py3-none-any.whl
from stile_guard import Guard

with open("${file}", encoding="utf-8", newline="") as f:
    session = Guard.read(f.read()).begin()
session.record({"kind": "message", "name": "user", "content": question})
decision = session.allow({"name": tool, "arguments": arguments, "id": id})
if decision.verdict != "allow":
    raise PermissionError(decision.reason)
session.record({"kind": "result", "id": id, "content": output})
`;
    case "Go":
      return `// import "github.com/stile-playground/stile/core/gate"
guard, err := gate.Read(text) // of ${file}
session, err := guard.Begin(gate.Options{})
session.Record(gate.Event{Kind: "message", Name: "user", Content: question})
decision := session.Allow(gate.Event{Name: tool, Arguments: arguments, ID: id})
if decision.Verdict != gate.Allow {
	return errors.New(decision.Reason)
}
session.Record(gate.Event{Kind: "result", ID: id, Content: output})
`;
    case "Any other":
      return `stile guard ${file} -listen 127.0.0.1:6180 -journal guard.journal
curl -H 'Content-Type: application/json' -d '{"name": "TOOL", "arguments": {}, "id": "1"}' http://127.0.0.1:6180/sessions/1/allow
`;
  }
}

/** A compiled guard of a spec: its file, the code that uses it, and a console that judges events by it. */
export class StileGuardPanel extends LightElement {
  @prop spec: File = { name: "", text: "" };
  /** The workspace, because a guard enforces its properties and rules, too. */
  @prop files: readonly File[] = [];
  @prop core!: Pick<CoreClient, "call">;
  @state guard: GuardCompileResult | null = null;
  @state fault = "";
  @state language: Language = "JavaScript";
  @state events = "";
  @state decisions: readonly GateDecision[] = [];
  @state refusal = "";

  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override render(): unknown {
    const { guard } = this;
    const file = this.#file();
    const code = program(this.language, file);
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
              <div class="row wrap" role="group" aria-label="Code in">
                ${languages.map((l) => html`<button class="button small" type="button" aria-pressed=${l === this.language} @click=${() => (this.language = l)}>${l}</button>`)}
                <stile-copy-button .text=${code} .what=${"the code"}></stile-copy-button>
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

  #file(): string {
    return `${this.spec.name.replace(/.*\//, "").replace(/\.\w+$/, "")}.guard`;
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
      this.fault = "";
      this.decisions = [];
      const asked = '{"kind": "message", "name": "user", "content": "hello"}';
      const { decisions, next } = await this.core.call("guard.decide", {
        guard: guard.text,
        operations: [{ op: "record", event: asked }],
      });
      if (this.guard !== guard || this.events !== "") return;
      const first = decisions[0];
      const call = `{"name": ${JSON.stringify((first?.verdict === "allow" ? next[0] : undefined) ?? "TOOL")}, "arguments": {}, "id": "1"}`;
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
        op: /"kind"\s*:\s*"text"/.test(event) ? "feed" : /"kind"\s*:/.test(event) ? "record" : "allow",
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

customElements.define("stile-guard-panel", StileGuardPanel);
