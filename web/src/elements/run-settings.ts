import { html, nothing } from "lit";
import { iconDice } from "../icons.js";
import type { ModelKind, Run, RunSettings } from "../store.js";
import { LightElement } from "./light-element.js";

const models: readonly { readonly kind: ModelKind; readonly label: string; readonly hint: string }[] = [
  { kind: "uniform", label: "Simulated: well-behaved", hint: "Chooses evenly among what is right." },
  { kind: "first", label: "Simulated: always the first", hint: "Takes the first choice, so every run is alike." },
  { kind: "rambler", label: "Simulated: rambler", hint: "Breaks the rules as often as you like." },
  { kind: "scripted", label: "Scripted answers", hint: "One answer a line; \\n stands for a line break." },
  { kind: "person", label: "You are the model", hint: "Every question comes to you." },
  { kind: "endpoint", label: "OpenAI-compatible endpoint", hint: "Called from this page; no server of ours is in between." },
];

/** The Run tab's form: the task, which model, and what it needs. The key stays in its field. */
export class StileRunSettings extends LightElement {
  static override properties = { settings: { attribute: false }, kind: { attribute: false }, locked: { attribute: false } };
  declare settings: RunSettings;
  declare kind: Run["kind"];
  declare locked: boolean;

  protected override render(): unknown {
    const s = this.settings;
    const hint = models.find((m) => m.kind === s.model)?.hint ?? "";
    return html`
      <fieldset class="fields" ?disabled=${this.locked}>
        <legend class="visually-hidden">Settings of the run</legend>
        <label class="field wide"><span>${this.kind === "plan" ? "Task" : "Question"}</span>
          <textarea rows="2" .value=${s.task} @input=${(e: Event) => this.#change({ task: valueOf(e) })}></textarea></label>
        <div class="field"><label for="model">Model</label>
          <select id="model" aria-describedby="model-hint" @change=${(e: Event) => this.#change({ model: valueOf(e) as ModelKind })}>
            ${models.map((m) => html`<option value=${m.kind} ?selected=${m.kind === s.model}>${m.label}</option>`)}
          </select>
          <small class="hint" id="model-hint">${hint}</small></div>
        <div class="field narrow"><label for="seed">Seed</label>
          <span class="with-button">
            <input id="seed" type="number" min="0" max="9007199254740991" step="1" .value=${String(s.seed)} @change=${this.#seed} />
            <button class="icon-button" type="button" title="Another seed" aria-label="Another seed" @click=${this.#roll}>${iconDice}</button>
          </span>
          <small class="hint">Same seed, same run.</small></div>
        ${this.#modelFields(s)}
        ${this.kind === "monitor" ? html`
          <label class="field"><span>Corrections</span>
            <select @change=${(e: Event) => this.#change({ forced: valueOf(e) === "forced" })}>
              <option value="prefix" ?selected=${!s.forced}>the longest common prefix</option>
              <option value="forced" ?selected=${s.forced}>a whole prompt, forced</option>
            </select></label>
          <label class="field"><span>Environment</span>
            <select @change=${(e: Event) => this.#change({ environment: valueOf(e) === "person" ? "person" : "simulated" })}>
              <option value="simulated" ?selected=${s.environment === "simulated"}>simulated</option>
              <option value="person" ?selected=${s.environment === "person"}>you</option>
            </select></label>` : nothing}
      </fieldset>`;
  }

  #modelFields(s: RunSettings): unknown {
    switch (s.model) {
      case "rambler":
        return html`
          <label class="field"><span>Error rate <output>${Math.round(s.errorRate * 100)} %</output></span>
            <input type="range" min="0" max="1" step="0.05" .value=${String(s.errorRate)} @input=${(e: Event) => this.#change({ errorRate: Number(valueOf(e)) })} /></label>`;
      case "scripted":
        return html`
          <label class="field wide"><span>Answers</span>
            <textarea class="code" rows="4" spellcheck="false" .value=${s.script} @input=${(e: Event) => this.#change({ script: valueOf(e) })}></textarea></label>`;
      case "endpoint":
        return html`
          <label class="field"><span>Address</span>
            <input type="url" placeholder="https://…/v1" spellcheck="false" autocomplete="off" .value=${s.url} @input=${(e: Event) => this.#change({ url: valueOf(e) })} /></label>
          <label class="field"><span>Model’s name</span>
            <input type="text" spellcheck="false" autocomplete="off" .value=${s.modelName} @input=${(e: Event) => this.#change({ modelName: valueOf(e) })} /></label>
          <div class="field wide"><label for="key">Key</label>
            <input id="key" type="password" name="key" autocomplete="off" aria-describedby="key-hint" />
            <small class="hint" id="key-hint">Kept in this page’s memory only: not saved, not in links, sent to this address alone. Leave it empty for a local server.</small></div>`;
      default:
        return nothing;
    }
  }

  /** The key as it stands in its field. */
  get key(): string {
    return this.querySelector<HTMLInputElement>("input[name=key]")?.value ?? "";
  }

  #change(change: Partial<RunSettings>): void {
    this.emit<Partial<RunSettings>>("settings-changed", change);
  }

  #seed = (event: Event): void => {
    const seed = Math.floor(Number(valueOf(event)));
    this.#change({ seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : 1 });
  };

  #roll = (): void => {
    this.#change({ seed: crypto.getRandomValues(new Uint32Array(1))[0] ?? 1 });
  };
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
}

customElements.define("stile-run-settings", StileRunSettings);
