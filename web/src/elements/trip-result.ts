import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core-client.js";
import type { TravelCheckResult, TravelItinerary, TravelQuery } from "../wire.js";
import { sentence } from "../words.js";
import "./itinerary.js";
import { LightElement } from "./light-element.js";
import "./trip-checks.js";

/** How long typing rests before a plan is held against the query anew. */
const CHECK_DELAY = 300;

/** A plan of a trip held against its query: what its constraints say, and the days that it makes. */
export class StileTripResult extends LightElement {
  static override properties = {
    core: { attribute: false }, data: { attribute: false }, query: { attribute: false }, plan: { attribute: false },
    released: { state: true }, check: { state: true }, trip: { state: true }, fault: { state: true },
  };
  declare core: Pick<CoreClient, "call">;
  /** The records. */
  declare data: string;
  declare query: TravelQuery;
  declare plan: string;
  /** Within Current City is taken as the released evaluation takes it. */
  declare released: boolean;
  declare check: TravelCheckResult | null;
  declare trip: TravelItinerary | null;
  declare fault: string;

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor() {
    super();
    this.released = false;
    this.check = null;
    this.trip = null;
    this.fault = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): unknown {
    const { check, trip } = this;
    return html`
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
      ${check === null ? nothing : html`
        <stile-trip-checks .report=${check.report} .released=${this.released} .diagnostics=${check.diagnostics} @released-changed=${(e: CustomEvent<boolean>) => (this.released = e.detail)}></stile-trip-checks>`}
      ${trip === null ? nothing : html`<stile-itinerary .trip=${trip}></stile-itinerary>`}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!(["data", "query", "plan", "released"] as const).some((name) => changed.has(name))) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), this.check === null ? 0 : CHECK_DELAY);
  }

  async #look(): Promise<void> {
    const { query, plan, released } = this;
    const number = ++this.#asked;
    const of = { data: [this.data], query, plan };
    try {
      const [check, { itinerary }] = await Promise.all([this.core.call("travel.check", { ...of, released }), this.core.call("travel.itinerary", of)]);
      if (number !== this.#asked) return;
      this.check = check;
      this.trip = itinerary;
      this.fault = "";
    } catch (reason) {
      if (number !== this.#asked) return;
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
      this.check = null;
      this.trip = null;
    }
  }
}

customElements.define("stile-trip-result", StileTripResult);
