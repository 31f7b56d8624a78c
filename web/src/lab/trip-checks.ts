import { html, nothing } from "lit";
import { iconCheck, iconClose, iconMinus, iconWarning } from "../ui/icons.js";
import type { Diagnostic, TravelCheck, TravelReport } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The constraints of a trip's plan: eight commonsense and five hard ones, each with its reason. */
export class StileTripChecks extends LightElement {
  @prop report!: TravelReport;
  @prop released = false;
  /** Errors in the plan's text. */
  @prop diagnostics: readonly Diagnostic[] = [];

  protected override render(): unknown {
    const { report } = this;
    const passed = (list: readonly TravelCheck[]): string =>
      `${list.filter((c) => c.asked && c.verdict === "pass").length} of ${list.filter((c) => c.asked).length}`;
    return html` <section class="result" aria-labelledby="trip-checks-title">
      <div class="result-head">
        <h3 id="trip-checks-title">Constraints</h3>
        <span class="pill ${report.final ? "good" : "bad"}" data-final=${report.final ? "pass" : "fail"}
          >${report.final ? "final pass" : report.delivered ? "fails" : "no plan"}</span
        >
        <span class="hint">${passed(report.commonsense)} commonsense · ${passed(report.hard)} hard</span>
      </div>
      ${
        this.diagnostics.length === 0
          ? nothing
          : html`<ul class="team-faults ending">
              ${this.diagnostics.map((d) => html`<li>${iconWarning} <span>${sentence(d.message)}</span></li>`)}
            </ul>`
      }
      <div class="trip-lists">${this.#list("Common sense", report.commonsense)} ${this.#list("Hard", report.hard)}</div>
      <label class="check ending"
        ><input
          type="checkbox"
          .checked=${this.released}
          @change=${(e: Event) => this.emit("released-changed", (e.target as HTMLInputElement).checked)}
        />
        <span
          >Evaluate like the released program. It matches substrings of city names, ignores an attraction without a
          semicolon, ignores the cuisines of a day after a meal at home, and starts the trip at the origin.</span
        ></label
      >
    </section>`;
  }

  #list(title: string, list: readonly TravelCheck[]): unknown {
    return html` <div>
      <h4>${title}</h4>
      <ul class="trip-rules">
        ${list.map(
          (c) =>
            html` <li
              class=${c.asked ? c.verdict.replace(" ", "-") : "unasked"}
              data-rule=${c.constraint}
              data-verdict-of=${c.verdict}
            >
              ${c.verdict === "pass" ? iconCheck : c.verdict === "fail" ? iconClose : iconMinus}
              <p>
                <strong>${c.constraint}</strong>
                <span class="visually-hidden">${c.verdict}</span>
                ${c.reason === "" ? nothing : html`<span class="trip-reason">${sentence(c.reason)}</span>`}
              </p>
            </li>`,
        )}
      </ul>
    </div>`;
  }
}

customElements.define("stile-trip-checks", StileTripChecks);
