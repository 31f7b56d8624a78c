import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { saveText } from "./save-file.js";
import type { File } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import { LightElement, prop, state } from "../ui/light-element.js";

const languages = [
  { id: "guard-go", label: "Go", file: "guard.go", needs: "It imports the core’s packages." },
  { id: "guard-typescript", label: "TypeScript", file: "guard.ts", needs: "It runs Stile’s module under Node." },
  { id: "guard-python", label: "Python", file: "guard.py", needs: "It runs Stile’s module with wasmtime." },
] as const;

/** Milliseconds without typing before a guard is updated. */
const WRITE_DELAY = 300;

/** A program that enforces an agent's spec and the workspace's properties in production, in one of three languages. */
export class StileGuard extends LightElement {
  @prop spec: File = { name: "", text: "" };
  /** The workspace, because a guard enforces its properties, too. */
  @prop files: readonly File[] = [];
  @prop core!: Pick<CoreClient, "call">;
  /** Whether the spec has no errors. */
  @prop sound = true;
  @state chosen: "" | (typeof languages)[number]["id"] = "";
  @state text = "";
  @state fault = "";

  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override render(): unknown {
    const language = languages.find(({ id }) => id === this.chosen);
    return html` <div class="row wrap" role="group" aria-label="Language of the guard">
        ${languages.map(({ id, label }) => html`<button class="button small" type="button" aria-pressed=${id === this.chosen} ?disabled=${!this.sound} @click=${() => this.#choose(id)}>${label}</button>`)}
        <span class="hint" role="status"
          >${this.sound ? (language?.needs ?? "") : "Available once the spec has no errors."}</span
        >
      </div>
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert"><span>${sentence(this.fault)}</span></p>`}
      ${
        language === undefined || this.text === ""
          ? nothing
          : html` <figure class="guard">
              <figcaption class="form-head">
                <code>${language.file}</code>
                <span class="row"
                  ><stile-copy-button .text=${this.text} .what=${language.file}></stile-copy-button>
                  <button class="button small" type="button" @click=${() => saveText(language.file, this.text)}>
                    Download
                  </button></span
                >
              </figcaption>
              <pre class="prompt" tabindex="0" aria-label="${language.file}">${this.text}</pre>
            </figure>`
      }`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("spec");
    if (
      this.chosen === "" ||
      (changed.get("files") === undefined &&
        (before === undefined || (before.name === this.spec.name && before.text === this.spec.text)))
    )
      return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#write(), WRITE_DELAY);
  }

  #choose(id: (typeof languages)[number]["id"]): void {
    this.chosen = this.chosen === id ? "" : id;
    this.text = "";
    void this.#write();
  }

  async #write(): Promise<void> {
    const { chosen, spec, files } = this;
    if (chosen === "" || !this.sound) return;
    try {
      const { text } = await this.core.call("spec.export", {
        name: spec.name,
        text: spec.text,
        format: chosen,
        files: [...files],
      });
      if (chosen !== this.chosen || spec.text !== this.spec.text || files !== this.files) return;
      this.text = text;
      this.fault = "";
    } catch (reason) {
      if (chosen !== this.chosen) return;
      this.text = "";
      this.fault = reason instanceof Error ? reason.message : String(reason);
    }
  }
}

customElements.define("stile-guard", StileGuard);
