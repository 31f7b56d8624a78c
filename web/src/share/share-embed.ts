import { html, nothing, type PropertyValues } from "lit";
import { fenced } from "./markdown-fence.js";
import { isEmbeddable, notationOf } from "../store/file-kind.js";
import type { File } from "../core/wire.js";
import "../ui/copy-button.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The parts of an embed. */
const parts = [
  ["automaton", "Automaton"],
  ["text", "Text"],
  ["step", "Step through words"],
  ["tests", "Tests"],
] as const;

/** Makes the code that embeds a workspace elsewhere. */
export class StileShareEmbed extends LightElement {
  @prop link = "";
  @prop files: readonly File[] = [];
  /** Makes the archive of the files in the core, because a text may contain archive markers. */
  @prop archive: (files: readonly File[]) => Promise<string> = () => Promise.resolve("");
  @state packed = "";
  @state show: readonly string[] = ["automaton", "text"];
  @state height = 420;
  @state theme = "auto";
  @state readOnly = false;
  @state form: "element" | "frame" | "markdown" = "element";

  protected override render(): unknown {
    const code = this.#code();
    return html` <fieldset class="fields">
        <legend class="visually-hidden">Contents of the embed</legend>
        <label class="field"
          ><span>As</span>
          <select @change=${(e: Event) => (this.form = (e.target as HTMLSelectElement).value as typeof this.form)}>
            <option value="element" ?selected=${this.form === "element"}>an element</option>
            <option value="frame" ?selected=${this.form === "frame"}>a frame</option>
            <option value="markdown" ?selected=${this.form === "markdown"}>Markdown</option>
          </select></label
        >
        ${
          this.form === "markdown"
            ? nothing
            : html` <label class="field"
                ><span>Colours</span>
                <select @change=${(e: Event) => (this.theme = (e.target as HTMLSelectElement).value)}>
                  ${["auto", "light", "dark"].map((theme) => html`<option value=${theme} ?selected=${this.theme === theme}>${theme === "auto" ? "of the reader" : theme}</option>`)}
                </select></label
              >`
        }
        <label class="field narrow"
          ><span>Height</span
          ><input
            type="number"
            min="120"
            max="2000"
            step="20"
            .value=${String(this.height)}
            @change=${(e: Event) => (this.height = Math.min(Math.max(Number((e.target as HTMLInputElement).value) || 420, 120), 2000))}
        /></label>
        ${
          this.form === "markdown"
            ? nothing
            : html` <div class="field wide checks">
                ${parts.filter(([id]) => id !== "tests" || this.files.some((f) => notationOf(f.name) === "tests")).map(([id, label]) => html`<label class="check"><input type="checkbox" .checked=${this.show.includes(id)} @change=${(e: Event) => this.#shown(id, (e.target as HTMLInputElement).checked)} /> <span>${label}</span></label>`)}
                <label class="check"
                  ><input
                    type="checkbox"
                    .checked=${this.readOnly}
                    @change=${(e: Event) => (this.readOnly = (e.target as HTMLInputElement).checked)}
                  />
                  <span>Read only</span></label
                >
              </div>`
        }
      </fieldset>
      <div class="with-button">
        <pre class="one-line code" tabindex="0" aria-label="Code to embed it">${code}</pre>
        <stile-copy-button .text=${code} .what=${"the code"}></stile-copy-button>
      </div>
      ${this.form === "markdown" ? html`<p class="hint">For sites whose Markdown is made with the goldmark extension <code>core/markdown</code>, or that load the script of the element.</p>` : nothing}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("files") || changed.has("form")) void this.#pack();
  }

  async #pack(): Promise<void> {
    const { files, form } = this;
    if (form !== "markdown" || this.#alone !== undefined) return;
    try {
      const packed = await this.archive(files);
      if (files === this.files) this.packed = packed;
    } catch {
      // Another element reports a lost core.
    }
  }

  /** The only file, if a fenced block in its own language can contain it unchanged. */
  get #alone(): File | undefined {
    const [only] = this.files;
    return this.files.length === 1 && only !== undefined && isEmbeddable(only.name) ? only : undefined;
  }

  /** Returns the files as a fenced block. */
  #block(): string {
    const only = this.#alone;
    return fenced(`${only?.name.split(".").pop() ?? "stile"} {height=${this.height}}`, only?.text ?? this.packed);
  }

  #shown(id: string, on: boolean): void {
    const show = parts.map(([part]) => part).filter((part) => (part === id ? on : this.show.includes(part)));
    this.show = show.length === 0 ? ["automaton"] : show;
  }

  #code(): string {
    const link = new URL(this.link);
    const usual = this.show.join() === "automaton,text";
    switch (this.form) {
      case "markdown":
        return this.#block();
      case "frame": {
        const address = new URL("embed.html", link);
        if (!usual) address.searchParams.set("show", this.show.join(","));
        if (this.theme !== "auto") address.searchParams.set("theme", this.theme);
        if (this.readOnly) address.searchParams.set("readonly", "1");
        address.hash = link.hash;
        return `<iframe src="${attribute(address.href)}" title="A specification in Stile" width="100%" height="${this.height}" loading="lazy" credentialless sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>`;
      }
      default: {
        const extra = [
          `height="${this.height}"`,
          usual ? "" : `show="${this.show.join(",")}"`,
          this.theme === "auto" ? "" : `theme="${this.theme}"`,
          this.readOnly ? "readonly" : "",
        ]
          .filter((s) => s !== "")
          .join(" ");
        return `<script type="module" src="${attribute(new URL("stile-embed.js", link).href)}"></script>\n<stile-embed src="${attribute(link.href)}" ${extra}></stile-embed>`;
      }
    }
  }
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

customElements.define("stile-share-embed", StileShareEmbed);
