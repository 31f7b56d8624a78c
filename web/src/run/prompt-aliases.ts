import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { requestFiles } from "../edit/show-place.js";
import { messageOf } from "../store/faults.js";
import { valueOf } from "../ui/form-input.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import type { AgentState, File } from "../core/wire.js";

/** The aliases of the prompts of an agent's states. They are part of the agent's file, so the editor can undo changes. */
export class StilePromptAliases extends LightElement {
  @prop states: readonly AgentState[] = [];
  @prop files: readonly File[] = [];
  /** Name of the agent's file. */
  @prop name = "";
  @prop core!: Pick<CoreClient, "call">;
  /** The rejected text of a state, with the reason. */
  @state rejected: {
    readonly name: string;
    readonly state: string;
    readonly text: string;
    readonly reason: string;
  } | null = null;

  protected override render(): unknown {
    if (this.states.length === 0) return nothing;
    return html` <fieldset class="group">
      <legend>Aliases of the prompts</legend>
      <small class="hint" id="aliases-hint"
        >Texts that the model may write for a prompt at the start of a line, one per line: <code>**Thought:**</code>.
        They are part of ${this.name}, and count in runs and in traces.</small
      >
      <div class="aliases">${this.states.map((s, i) => this.#row(s, i))}</div>
    </fieldset>`;
  }

  #row(s: AgentState, i: number): unknown {
    const rejected = this.rejected?.name === this.name && this.rejected.state === s.name ? this.rejected : null;
    return html` <div class="field">
      <label for="alias-${i}">${s.name} <code>${s.prompt}</code></label>
      <textarea
        id="alias-${i}"
        class="code"
        rows=${Math.max(s.aliases.length, 1)}
        spellcheck="false"
        aria-describedby=${rejected === null ? "aliases-hint" : `alias-${i}-fault`}
        aria-invalid=${rejected !== null}
        .value=${rejected?.text ?? s.aliases.join("\n")}
        @change=${(e: Event) => void this.#declare(s.name, valueOf(e))}
      ></textarea>
      ${rejected === null ? nothing : html`<small class="fault" id="alias-${i}-fault" role="alert">${rejected.reason}</small>`}
    </div>`;
  }

  /** Writes the aliases of a state into an agent's file, also if another file is opened meanwhile. */
  async #declare(state: string, text: string, name = this.name): Promise<void> {
    const file = this.files.find((f) => f.name === name);
    if (file === undefined) return;
    try {
      const { source } = await this.core.call("agent.aliases", { source: file.text, state, texts: text.split("\n") });
      if (this.files.find((f) => f.name === name)?.text !== file.text) return void this.#declare(state, text, name);
      this.rejected = null;
      requestFiles(this, [{ name, text: source }]);
    } catch (error) {
      this.rejected = { name, state, text, reason: messageOf(error) };
    }
  }
}

customElements.define("stile-prompt-aliases", StilePromptAliases);
