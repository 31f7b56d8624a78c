import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { TravelCheckResult, TravelItinerary, TravelQuery } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "./itinerary.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "./trip-checks.js";

/** Milliseconds without typing before a plan is checked. */
const CHECK_DELAY = 300;

/** Checks a trip's plan against its query, and shows its days. */
export class StileTripResult extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** The records. */
  @prop data!: string;
  @prop query!: TravelQuery;
  @prop plan!: string;
  /** Whether the constraint Within Current City is judged as in the released evaluation. */
  @state released = false;
  @state check: TravelCheckResult | null = null;
  @state trip: TravelItinerary | null = null;
  @state fault = "";

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): unknown {
    const { check, trip } = this;
    return html` ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
    ${
      check === null
        ? nothing
        : html` <stile-trip-checks
            .report=${check.report}
            .released=${this.released}
            .diagnostics=${check.diagnostics}
            @released-changed=${(e: CustomEvent<boolean>) => (this.released = e.detail)}
          ></stile-trip-checks>`
    }
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
      const [check, { itinerary }] = await Promise.all([
        this.core.call("travel.check", { ...of, released }),
        this.core.call("travel.itinerary", of),
      ]);
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
