import { html, nothing } from "lit";
import { armName, claimInWords, type Curve, figure, percent, span, type Verdict } from "./learn-figures.js";
import type { LearnArm, LearnInterval, LearnResult } from "../core/wire.js";
import { LightElement, prop } from "../ui/light-element.js";

const pills: Readonly<Record<Verdict, string>> = {
  confirmed: "good",
  "not confirmed": "bad",
  "not shown": "",
  inconclusive: "",
};

/** The results of a learning run: the paper's claim, and the figures with their intervals. */
export class StileLearnResult extends LightElement {
  /** Undefined before the run's end. */
  @prop result: LearnResult | undefined = undefined;
  @prop curves: readonly Curve[] = [];
  /** Whether the run is in progress, so that figures change many times a second. */
  @prop live = false;

  protected override render(): unknown {
    return html`${this.result === undefined ? nothing : this.#claim(this.result)}${this.#table()}${this.result === undefined ? nothing : this.#controls(this.result)}${this.result === undefined ? nothing : this.#groups(this.result)}${this.live ? nothing : this.#epochs()}`;
  }

  #claim(r: LearnResult): unknown {
    const { verdict, said } = claimInWords(r);
    return html` <section class="learn-claim" aria-labelledby="learn-claim-title">
      <h2 id="learn-claim-title">
        “All samples valid, so more is learnt”
        <span class="pill ${pills[verdict]}">${verdict}</span>
      </h2>
      <p>${said.join(" ")}</p>
      ${r.simulated ? html`<p class="hint">The rewards are simulated with the paper's structure: a plan that cannot be executed scores 0; an executable plan scores the quality of its result. The figures measure the value of valid samples to a learner, not how well a language model plans.</p>` : nothing}
    </section>`;
  }

  #table(): unknown {
    const seen = this.curves.filter((c) => c.points[0] !== undefined);
    if (seen.length === 0) return nothing;
    const lengths = new Set(seen.map((c) => c.points.length));
    const last = lengths.size === 1 ? `epoch ${[...lengths][0]}` : "so far";
    return html` <div class="compare-scroll" tabindex="0" role="group" aria-label="The first and the last epoch">
      <table class="plain compare learn-table">
        <caption class="visually-hidden">
          The first and the last epoch with the automaton and without it, with 95 % intervals of the mean
        </caption>
        <thead>
          <tr>
            <th scope="col">Automaton</th>
            <th scope="col">Valid, epoch 1</th>
            <th scope="col">Valid, ${last}</th>
            <th scope="col">Reward, epoch 1</th>
            <th scope="col">Reward, ${last}</th>
          </tr>
        </thead>
        <tbody>
          ${seen.map((c) => {
            const [a, b] = [c.points[0], c.points.at(-1)];
            return html`<tr data-arm=${armName(c.with)}>
              <th scope="row">${armName(c.with)}</th>
              <td>${shown(a?.valid, percent)}</td>
              <td>${shown(b?.valid, percent)}</td>
              <td>${shown(a?.reward, figure)}</td>
              <td>${shown(b?.reward, figure)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  #controls(r: LearnResult): unknown {
    const list = r.controls ?? [];
    if (list.length === 0) return nothing;
    const names: Readonly<Record<string, string>> = {
      none: "not trained",
      with: "trained with it",
      without: "trained without it",
    };
    const of = (trained: string, planned: boolean): unknown => {
      const c = list.find((o) => o.trained === trained && o.with === planned);
      return html`<td>${shown(c?.valid, percent)}</td>
        <td>${shown(c?.reward, figure)}</td>`;
    };
    return html` <section aria-labelledby="learn-controls-title">
      <h2 id="learn-controls-title">Training or automaton</h2>
      <p class="hint">
        Ten plans of each test task after the training, by every learner with and without the automaton. Within a column
        the learners differ only in their training.
      </p>
      <div class="compare-scroll" tabindex="0" role="group" aria-label="Training or automaton">
        <table class="plain compare learn-table">
          <caption class="visually-hidden">
            Plans with and without the automaton after the training, with 95 % intervals of the mean
          </caption>
          <thead>
            <tr>
              <th scope="col">Learner</th>
              <th scope="col">Valid, planned with it</th>
              <th scope="col">Reward, planned with it</th>
              <th scope="col">Valid, planned without</th>
              <th scope="col">Reward, planned without</th>
            </tr>
          </thead>
          <tbody>
            ${[...new Set(list.map((c) => c.trained))].map(
              (trained) =>
                html`<tr data-trained=${trained}>
                  <th scope="row">${names[trained] ?? trained}</th>
                  ${of(trained, true)}${of(trained, false)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #groups(r: LearnResult): unknown {
    const kinds = r.arms[0]?.groups ?? [];
    if (kinds.length < 2) return nothing;
    const of = (arm: LearnArm, i: number): unknown =>
      html`<td>${shown(arm.groups[i]?.valid, percent)}</td>
        <td>${shown(arm.groups[i]?.reward, figure)}</td>`;
    return html` <details class="fold">
      <summary>Last epoch, by kind of task</summary>
      <div class="compare-scroll" tabindex="0" role="group" aria-label="By kind of task">
        <table class="plain compare learn-table">
          <caption class="visually-hidden">
            Results of plans in the last epoch, by kind of task
          </caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Tasks</th>
              ${r.arms.map(
                (a) =>
                  html`<th scope="col">Valid, ${armName(a.with)}</th>
                    <th scope="col">Reward, ${armName(a.with)}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${kinds.map(
              (g, i) =>
                html`<tr>
                  <th scope="row">${g.kind === "" ? "all" : g.kind}</th>
                  <td>${g.tasks}</td>
                  ${r.arms.map((a) => of(a, i))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  #epochs(): unknown {
    const { curves } = this;
    const rows = Math.max(0, ...curves.map((c) => c.points.length));
    if (rows === 0) return nothing;
    return html` <details class="fold">
      <summary>The curves as a table</summary>
      <div class="compare-scroll learn-epochs" tabindex="0" role="group" aria-label="The curves as a table">
        <table class="plain compare learn-table">
          <caption class="visually-hidden">
            Valid plans and reward of each epoch, with 95 % intervals of the mean
          </caption>
          <thead>
            <tr>
              <th scope="col">Epoch</th>
              ${curves.map(
                (c) =>
                  html`<th scope="col">Valid, ${armName(c.with)}</th>
                    <th scope="col">Reward, ${armName(c.with)}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${Array.from(
              { length: rows },
              (_, i) =>
                html`<tr>
                  <th scope="row">${i + 1}</th>
                  ${curves.map(
                    (c) =>
                      html`<td>${shown(c.points[i]?.valid, percent)}</td>
                        <td>${shown(c.points[i]?.reward, figure)}</td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }
}

function shown(i: LearnInterval | undefined, write: (n: number) => string): unknown {
  if (i === undefined) return "–";
  return i.low === i.high
    ? html`<strong>${write(i.mean)}</strong>`
    : html`<strong>${write(i.mean)}</strong> <small class="hint">${span(i, write)}</small>`;
}

customElements.define("stile-learn-result", StileLearnResult);
