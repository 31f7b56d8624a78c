import { html, nothing } from "lit";
import { iconOpen } from "../ui/icons.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The core's limit in bytes; a text has at least as many bytes as characters. */
export const MAX_TRACE = 4 << 20;

/** A trace that was pasted, typed, opened or taken from the workspace. */
export interface Trace {
  readonly text: string;
  /** Name of its file; "" for none. */
  readonly name: string;
}

/** An example of a trace to try. */
export interface Trial {
  readonly label: string;
  readonly take: () => void;
}

/** The field of a trace: paste, type, drop or open a file. It can show places in the trace. */
export class StileTraceField extends LightElement {
  @prop text = "";
  @prop trials: readonly Trial[] = [];
  @state over = false;

  override focus(): void {
    this.#area?.focus();
  }

  /** Selects a place of the text and scrolls to it. */
  reveal(from: number, to: number): void {
    const area = this.#area;
    if (area === null) return;
    const before = this.querySelector<HTMLTextAreaElement>(".trace-measure");
    if (before !== null) {
      // The height of the text before the place is the place's offset.
      before.value = area.value.slice(0, from);
      area.scrollTop = Math.max(0, before.scrollHeight - area.clientHeight / 2);
      before.value = "";
    }
    area.setSelectionRange(from, Math.max(from, to));
    area.focus({ preventScroll: true });
    area.scrollIntoView({ block: "nearest" });
  }

  protected override render(): unknown {
    return html` <div
      class="field wide trace-field ${this.over ? "over" : ""}"
      @dragover=${this.#drag}
      @dragleave=${() => (this.over = false)}
      @drop=${this.#drop}
    >
      <div class="trace-bar">
        <label for="trace-text">Trace: a chat, spans, or the text of a run</label>
        <span class="row">
          ${this.text === "" ? nothing : html`<button class="button small" type="button" @click=${this.#clear}>Clear</button>`}
          <button class="button small" type="button" @click=${() => this.#input?.click()}>
            ${iconOpen} Open a file
          </button>
        </span>
      </div>
      <div class="trace-box">
        <textarea
          id="trace-text"
          class="code"
          rows="9"
          spellcheck="false"
          autocomplete="off"
          placeholder="Paste it, or drop a file here."
          aria-describedby="trace-hint"
          .value=${this.text}
          @input=${this.#typed}
          @paste=${this.#paste}
        ></textarea>
        <textarea class="code trace-measure" rows="1" tabindex="-1" aria-hidden="true" readonly></textarea>
      </div>
      <small class="hint" id="trace-hint"
        >Messages, events, spans or console output, as libraries and services write them; or prompts with their
        contents. The trace is not uploaded.</small
      >
      <input class="trace-file" type="file" hidden @change=${this.#chosen} />
      ${
        this.text !== "" || this.trials.length === 0
          ? nothing
          : html`<div class="row wrap">
              <span class="hint">Try</span> ${this.trials.map(
                (trial) =>
                  html` <button class="button small" type="button" @click=${trial.take}>${trial.label}</button>`,
              )}
            </div>`
      }
    </div>`;
  }

  get #area(): HTMLTextAreaElement | null {
    return this.querySelector("#trace-text");
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector(".trace-file");
  }

  #typed = (event: Event): void => {
    // An edited trace no longer belongs to its file.
    this.emit<Trace>("trace-taken", { text: (event.target as HTMLTextAreaElement).value, name: "" });
  };

  #paste = (event: ClipboardEvent): void => {
    const size = event.clipboardData?.getData("text/plain").length ?? 0;
    if (size <= MAX_TRACE) return;
    // A field with so much text would block the page.
    event.preventDefault();
    this.emit("trace-refused", tooLarge("The pasted text", size));
  };

  #clear = (): void => {
    this.emit<Trace>("trace-taken", { text: "", name: "" });
    this.focus();
  };

  #drag = (event: DragEvent): void => {
    event.preventDefault();
    this.over = event.dataTransfer?.types.includes("Files") === true;
  };

  #drop = (event: DragEvent): void => {
    this.over = false;
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return; // the browser drops text itself
    event.preventDefault();
    event.stopPropagation(); // the page would open it as a workspace
    void this.#open(file);
  };

  #chosen = async (): Promise<void> => {
    const input = this.#input;
    const file = input?.files?.[0];
    if (file !== undefined) await this.#open(file);
    if (input !== null) input.value = "";
  };

  async #open(file: File): Promise<void> {
    if (file.size > MAX_TRACE) {
      this.emit("trace-refused", tooLarge(`“${file.name}”`, file.size));
      return;
    }
    // A text field normalises line breaks.
    this.emit<Trace>("trace-taken", { text: (await file.text()).replace(/\r\n?/g, "\n"), name: file.name });
  }
}

/** Returns the reason to refuse a trace. */
export function tooLarge(what: string, size: number): string {
  return `${what} is ${(size / 2 ** 20).toFixed(1)} MiB long; the limit is 4 MiB. Split it into conversations and check them one by one.`;
}

customElements.define("stile-trace-field", StileTraceField);
