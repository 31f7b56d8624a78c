import { html, nothing } from "lit";
import { iconCheck, iconClose, iconMinus, iconWarning } from "../icons.js";
import type { Diagnostic, TravelCheck, TravelReport } from "../wire.js";
import { sentence } from "../words.js";
import { LightElement } from "./light-element.js";

/** The constraints that a plan of a trip is held against: eight of common sense and five hard ones, each with its reason. */
export class StileTripChecks extends LightElement {
  static override properties = { report: { attribute: false }, released: { attribute: false }, diagnostics: { attribute: false } };
  declare report: TravelReport;
  declare released: boolean;
  /** Faults of the plan's text. */
  declare diagnostics: readonly Diagnostic[];

  constructor() {
    super();
    this.released = false;
    this.diagnostics = [];
  }

  protected override render(): unknown {
    const { report } = this;
    const passed = (list: readonly TravelCheck[]): string => `${list.filter((c) => c.asked && c.verdict === "pass").length} of ${list.filter((c) => c.asked).length}`;
    return html`
      <section class="result" aria-labelledby="trip-checks-title">
        <div class="result-head">
          <h3 id="trip-checks-title">Constraints</h3>
          <span class="pill ${report.final ? "good" : "bad"}" data-final=${report.final ? "pass" : "fail"}>${report.final ? "final pass" : report.delivered ? "fails" : "no plan"}</span>
          <span class="hint">${passed(report.commonsense)} of common sense · ${passed(report.hard)} hard</span>
        </div>
        ${this.diagnostics.length === 0 ? nothing : html`<ul class="team-faults ending">${this.diagnostics.map((d) => html`<li>${iconWarning} <span>${sentence(d.message)}</span></li>`)}</ul>`}
        <div class="trip-lists">
          ${this.#list("Common sense", report.commonsense)}
          ${this.#list("Hard", report.hard)}
        </div>
        <label class="check ending"><input type="checkbox" .checked=${this.released} @change=${(e: Event) => this.emit("released-changed", (e.target as HTMLInputElement).checked)} />
          <span>Take Within Current City as the released evaluation does, which goes through the letters of the city’s name and not its parts</span></label>
      </section>`;
  }

  #list(title: string, list: readonly TravelCheck[]): unknown {
    return html`
      <div><h4>${title}</h4>
        <ul class="trip-rules">${list.map((c) => html`
          <li class=${c.asked ? c.verdict.replace(" ", "-") : "unasked"} data-rule=${c.constraint} data-verdict-of=${c.verdict}>
            ${c.verdict === "pass" ? iconCheck : c.verdict === "fail" ? iconClose : iconMinus}
            <p><strong>${c.constraint}</strong> <span class="visually-hidden">${c.verdict}</span>
              ${c.reason === "" ? nothing : html`<span class="trip-reason">${sentence(c.reason)}</span>`}</p>
          </li>`)}</ul></div>`;
  }
}

customElements.define("stile-trip-checks", StileTripChecks);
