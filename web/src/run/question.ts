import { html, nothing, type PropertyValues } from "lit";
import { sendCommand } from "./run-command.js";
import type { Effect } from "../core/wire.js";
import { digitOf, takeFocus } from "./digit-keys.js";
import { LightElement, prop } from "../ui/light-element.js";

/** A question of a run to the person, with its choices as buttons or a text field. */
export class StileQuestion extends LightElement {
  @prop effect: Effect | null = null;
  /** The number of the run that asks, if that run is not the shown one. */
  @prop run: number | undefined;
  /** Whether the person continues an agent's text, usually by a line. The last line of the text is the prompt. */
  @prop continues = false;
  /** Whether the person may end the run by an empty answer. */
  @prop ends = false;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.#digit);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#digit);
  }

  protected override render(): unknown {
    const question = this.effect?.question;
    if (question === undefined || question === null) return nothing;
    const choices = question.choices ?? [];
    const multiline = question.multiline === true;
    const { before, asked } = this.continues ? lastLine(question.prompt) : { before: question.prompt, asked: "" };
    return html` <form class="question" aria-label="Question from the run" @submit=${this.#submit}>
      <h2>Question from the run</h2>
      ${before === "" ? nothing : html`<pre class="prompt" tabindex="0" aria-label="The text so far">${before}</pre>`}
      ${asked === "" ? nothing : html`<p class="asked"><span class="visually-hidden">Expected: </span><strong>${asked}</strong></p>`}
      ${
        choices.length > 0
          ? html`<ol class="choices">
              ${choices.map(
                (choice, i) =>
                  html`<li>
                    <button class="choice" type="button" @click=${() => this.#answer(String(i + 1))}>
                      <span class="choice-number">${i + 1}</span><span>${choice}</span>
                    </button>
                  </li>`,
              )}
            </ol>`
          : html`<div class="answer-row">
                ${
                  multiline
                    ? html`<textarea
                        name="answer"
                        rows="3"
                        aria-label="Your answer"
                        aria-describedby="answer-hint-${this.effect?.id ?? ""}"
                        @keydown=${this.#key}
                      ></textarea>`
                    : html`<input type="text" name="answer" autocomplete="off" aria-label="Your answer" />`
                }
                <button class="button primary" type="submit">Answer</button>
              </div>
              ${multiline ? html`<small class="hint" id="answer-hint-${this.effect?.id ?? ""}">${this.continues ? html`Press <kbd>Enter</kbd> to answer, <kbd>Shift</kbd> <kbd>Enter</kbd> for a new line.${this.ends ? " An empty answer ends the run." : ""}` : html`Press <kbd>Ctrl</kbd> <kbd>Enter</kbd> to answer.`}</small>` : nothing}`
      }
    </form>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("effect") || this.effect === null) return;
    // The question is at the text's end.
    const text = this.querySelector("pre");
    if (text !== null && this.continues) text.scrollTop = text.scrollHeight;
    this.querySelector("form")?.reset();
    takeFocus(this, ".choice, textarea, input");
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#answer(String(new FormData(event.target as HTMLFormElement).get("answer") ?? ""));
  };

  #key = (event: KeyboardEvent): void => {
    if (
      event.key !== "Enter" ||
      event.shiftKey ||
      event.altKey ||
      event.isComposing ||
      !(this.continues || event.ctrlKey || event.metaKey)
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    (event.target as HTMLTextAreaElement).form?.requestSubmit();
  };

  #answer(value: string): void {
    if (this.effect !== null)
      sendCommand(this, {
        command: "answer",
        effect: this.effect.id,
        value,
        ...(this.run !== undefined && { run: this.run }),
      });
  }

  #digit = (event: KeyboardEvent): void => {
    const n = digitOf(event, this);
    if (n === 0 || n > (this.effect?.question?.choices?.length ?? 0)) return;
    event.preventDefault();
    this.#answer(String(n));
  };
}

function lastLine(text: string): { readonly before: string; readonly asked: string } {
  const plain = text.trimEnd();
  const at = plain.lastIndexOf("\n");
  const asked = plain.slice(at + 1).trim();
  return asked.length > 80
    ? { before: plain, asked: "" }
    : { before: plain.slice(0, Math.max(at, 0)).trimEnd(), asked };
}

customElements.define("stile-question", StileQuestion);
