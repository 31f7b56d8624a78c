import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { messageOf } from "../store/faults.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { sentence } from "../ui/text.js";

/** Milliseconds without typing before a view is loaded again. */
const REST = 300;

/** A view of a text that the core computes. While the text has errors, the last view stays, dimmed. */
export abstract class ReadingPart<T> extends LightElement {
  @prop name = "";
  @prop text = "";
  @prop core!: CoreClient;
  /** Whether the text has errors. */
  @prop broken = false;
  @state result: T | null = null;
  @state fault = "";
  /** The name and text of the file to which the result belongs. */
  @state of = "";

  #asked = 0;
  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected abstract load(): Promise<T>;
  protected abstract show(result: T): unknown;

  protected override render(): unknown {
    const old = this.result !== null && (this.broken || this.of !== this.key);
    return html`${
      this.broken && this.result === null
        ? html`<p class="empty">Fix the errors to see this view.</p>`
        : this.fault !== "" && !this.broken
          ? html`<p class="fault">${sentence(this.fault)}</p>`
          : this.result === null
            ? html`<p class="hint" role="status">Loading…</p>`
            : nothing
    }${this.result === null ? nothing : html`<div class="reading ${old ? "outdated" : ""}">${this.show(this.result)}</div>`}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { key } = this;
    if (key === this.#wanted && !changed.has("broken")) return;
    this.#wanted = key;
    clearTimeout(this.#timer);
    if (this.broken || this.of === key) return;
    if (changed.has("name")) this.result = null;
    this.#timer = setTimeout(() => void this.reload(), this.result === null ? 0 : REST);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** Loads the result of the current text. */
  protected async reload(): Promise<void> {
    const number = ++this.#asked;
    const { key } = this;
    try {
      const result = await this.load();
      if (number !== this.#asked) return;
      [this.result, this.fault] = [result, ""];
    } catch (reason) {
      if (number !== this.#asked) return;
      [this.result, this.fault] = [null, messageOf(reason)];
    }
    this.of = key;
  }

  get key(): string {
    return `${this.name}\n${this.text}`;
  }
}
