import { html, nothing } from "lit";
import type { CompareRow, CompareTry } from "../run/events.js";
import { iconPlay } from "../ui/panel-icons.js";
import { sendCommand } from "../run/run-command.js";
import { goes } from "../run/run-state.js";
import type { Run } from "../store/state.js";
import { csv, markdown } from "../share/table-export.js";
import { type Method, methodChecks } from "./method-checks.js";
import { toggled } from "../ui/toggle.js";
import { count, sentence } from "../ui/text.js";
import { clip } from "../run/choices.js";
import "../ui/copy-button.js";
import { runActions, resumeButton, runState } from "../run/run-actions.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "../run/question.js";
import { leftOut, refusal } from "../run/refusal.js";
import { dollars } from "../run/run-spent.js";

const methods: readonly Method[] = [
  { id: "zero-shot", label: "Zero-shot", hint: "the model sees the task and the tools, and writes a plan" },
  {
    id: "few-shot",
    label: "Few-shot",
    hint: "it also sees other tasks with their plans; without solved tasks in tasks.json, random valid plans",
  },
  { id: "grammar", label: "Grammar", hint: "one answer, which a server with grammars keeps within the spec" },
  { id: "formal", label: "Formal", hint: "it chooses among the symbols that the spec allows" },
];

/** Compares planning methods: the share of valid plans, and their cost. */
export class StileCompare extends LightElement {
  @prop run: Run | null = null;
  /** The spec of the plans. */
  @prop name = "";
  @prop disabled = false;
  @state chosen: readonly string[] = ["zero-shot", "few-shot", "formal"];
  @state tries = 5;
  @state opened: readonly string[] = [];

  protected override render(): unknown {
    const { run } = this;
    const running = run !== null && goes(run);
    return html` <form class="run-form" @submit=${this.#start}>
        <fieldset class="fields" ?disabled=${running}>
          <legend class="visually-hidden">Comparison settings</legend>
          <div class="field wide checks" role="group" aria-label="Methods">
            ${methodChecks(methods, this.chosen, (chosen) => (this.chosen = chosen))}
          </div>
          <label class="field narrow"
            ><span>Plans of each</span
            ><input type="number" min="1" max="1000" step="1" .value=${String(this.tries)} @change=${this.#tries}
          /></label>
        </fieldset>
        ${runActions(
          this,
          run,
          html`<button class="button primary" type="submit" ?disabled=${this.disabled || this.chosen.length === 0}>
            ${iconPlay} Compare
          </button>`,
          run === null ? nothing : this.#state(run),
        )}
      </form>
      ${run === null ? nothing : this.#results(run)}`;
  }

  #state(run: Run): unknown {
    const made = count(run.timeline.tries.length, "plan");
    return runState(run, "Comparing", made);
  }

  #results(run: Run): unknown {
    const { tries, comparison, live } = run.timeline;
    const rows = rowsOf(tries);
    const wanted = (run.recorded?.settings as { readonly tries?: number } | undefined)?.tries ?? 0;
    return html` ${refusal(this, run)}${leftOut(run)} ${resumeButton(this, run)}
    ${run.questions.map((effect) => html`<stile-question .effect=${effect} .run=${run.number}></stile-question>`)}
    ${
      rows.length === 0
        ? nothing
        : html` <div class="compare-scroll" tabindex="0" role="group" aria-label="The comparison">
              <table class="plain compare">
                <caption class="visually-hidden">
                  Plans of ${run.name} by method
                </caption>
                <thead>
                  <tr>
                    <th scope="col">Method</th>
                    <th scope="col">Valid</th>
                    <th scope="col">Calls</th>
                    <th scope="col">Tokens</th>
                    <th scope="col">Seconds</th>
                    ${rows.some((r) => r.money > 0) ? html`<th scope="col">Money</th>` : nothing}
                  </tr>
                </thead>
                <tbody>
                  ${rows.map((row) =>
                    this.#row(
                      row,
                      tries,
                      wanted,
                      rows.some((r) => r.money > 0),
                    ),
                  )}
                </tbody>
              </table>
            </div>
            <div class="row wrap">
              <span class="hint">Copy the table:</span>
              <stile-copy-button
                .text=${comparison?.markdown ?? markdown(head, rows.map(cells))}
                .what=${"the table as Markdown"}
                .label=${"Markdown"}
              ></stile-copy-button>
              <stile-copy-button
                .text=${csv(head, rows.map(cells))}
                .what=${"the table as CSV"}
                .label=${"CSV"}
              ></stile-copy-button>
            </div>`
    }
    ${live === "" || !goes(run) ? nothing : html`<p class="reply streaming"><span class="hint">the model says</span><q>${clip(live)}</q></p>`}`;
  }

  #row(row: CompareRow, tries: readonly CompareTry[], wanted: number, priced: boolean): unknown {
    const share = row.plans === 0 ? 0 : row.valid / row.plans;
    const open = this.opened.includes(row.method);
    return html` <tr>
        <th scope="row">
          <button
            class="text-link"
            type="button"
            aria-expanded=${open}
            aria-controls="tries-${row.method}"
            @click=${() => (this.opened = toggled(this.opened, row.method))}
          >
            ${methods.find((m) => m.id === row.method)?.label ?? row.method}
          </button>
          ${row.randomShots === true ? html`<span class="hint">random examples</span>` : nothing}
          ${row.simulated === true ? html`<span class="hint">simulated</span>` : nothing}
        </th>
        <td class="share">
          <meter min="0" max="1" value=${share} aria-label="${Math.round(share * 100)} % valid"></meter>
          <strong>${Math.round(share * 100)} %</strong>
          <span class="hint"
            >${row.valid} of ${row.plans}${wanted > row.plans ? html`, ${wanted - row.plans} to come` : nothing}</span
          >
        </td>
        <td>${row.calls}</td>
        <td>${(row.promptTokens + row.completionTokens).toLocaleString("en")}</td>
        <td>${(row.milliseconds / 1000).toFixed(1)}</td>
        ${priced ? html`<td>${dollars(row.money)}</td>` : nothing}
      </tr>
      <tr id="tries-${row.method}" ?hidden=${!open}>
        <td colspan=${priced ? 6 : 5}>
          <ol class="tries">
            ${open ? tries.filter((t) => t.row.method === row.method).map((t) => this.#try(t)) : nothing}
          </ol>
        </td>
      </tr>`;
  }

  #try({ text, valid, fault, function: form, enforced, refusal, try: number }: CompareTry): unknown {
    return html` <li>
      <div class="row wrap">
        <span class="hint">${number}</span>
        <span class="pill ${valid ? "good" : "bad"}">${valid ? "valid" : "not valid"}</span>
        ${enforced === true ? html`<span class="hint">enforced by the server</span>` : nothing}
        ${refusal === true ? html`<span class="pill bad">reads like a refusal</span>` : nothing}
        ${fault === undefined || fault === "" ? nothing : html`<span>${sentence(fault)}</span>`}
        <button
          class="button small"
          type="button"
          @click=${() => this.emit("check-requested", valid && form !== undefined && form !== "" ? form : text)}
        >
          Inspect
        </button>
      </div>
      <pre class="prompt" tabindex="0">${clip(text)}</pre>
    </li>`;
  }

  #tries = (event: Event): void => {
    const n = Math.floor(Number((event.target as HTMLInputElement).value));
    this.tries = Number.isSafeInteger(n) && n > 0 ? Math.min(n, 1000) : 5;
  };

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    sendCommand(this, { command: "compare", methods: this.chosen, tries: this.tries });
  };
}

/** Returns the latest row of each method, in the order in which the methods arrived. */
function rowsOf(tries: readonly CompareTry[]): readonly CompareRow[] {
  const rows = new Map<string, CompareRow>();
  for (const t of tries) rows.set(t.row.method, t.row);
  return [...rows.values()];
}

function cells(row: CompareRow): readonly (string | number)[] {
  return [
    row.method +
      (row.randomShots === true ? " (random examples)" : "") +
      (row.simulated === true ? " (simulated)" : ""),
    row.plans,
    row.valid,
    row.plans === 0 ? 0 : Math.round((100 * row.valid) / row.plans),
    row.calls,
    row.promptTokens + row.completionTokens,
    row.milliseconds / 1000,
    row.money,
  ];
}

const head = ["method", "plans", "valid", "% valid", "calls", "tokens", "seconds", "dollars"];

customElements.define("stile-compare", StileCompare);
