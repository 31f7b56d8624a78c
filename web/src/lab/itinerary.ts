import { html, nothing } from "lit";
import type { TravelItinerary, TravelMoment, TravelOuting } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The days of a trip with the records' data, as a table or a timeline. */
export class StileItinerary extends LightElement {
  @prop trip!: TravelItinerary;
  @state asTimeline = false;

  protected override render(): unknown {
    const { days, cost, budget, left, timeline } = this.trip;
    if (days.length === 0) return nothing;
    return html` <section class="itinerary" aria-labelledby="itinerary-title">
      <div class="team-graph-head">
        <h3 id="itinerary-title">Itinerary</h3>
        <div class="row" role="group" aria-label="View of the itinerary">
          <button
            class="button small"
            type="button"
            aria-pressed=${!this.asTimeline}
            @click=${() => (this.asTimeline = false)}
          >
            Days
          </button>
          <button
            class="button small"
            type="button"
            aria-pressed=${this.asTimeline}
            @click=${() => (this.asTimeline = true)}
          >
            Timeline
          </button>
        </div>
      </div>
      <dl class="spent trip-cost">
        <div>
          <dt>Costs</dt>
          <dd>${dollars(cost.total)}</dd>
        </div>
        <div>
          <dt>Budget</dt>
          <dd>${dollars(budget)}</dd>
        </div>
        <div>
          <dt>${left < 0 ? "Over budget" : "Left"}</dt>
          <dd class=${left < 0 ? "fault-text" : ""}>${dollars(Math.abs(left))}</dd>
        </div>
        ${cost.sums.map(
          (s) =>
            html`<div>
              <dt>${s.kind}</dt>
              <dd>${dollars(s.amount)}</dd>
            </div>`,
        )}
      </dl>
      ${
        this.asTimeline
          ? this.#timeline(timeline)
          : html`<ol class="trip-days">
              ${days.map((day) => this.#day(day))}
            </ol>`
      }
    </section>`;
  }

  #day(day: TravelOuting): unknown {
    const { leg, night } = day;
    return html` <li class="trip-day">
      <div class="trip-day-head">
        <h4>Day ${day.day}</h4>
        <span>${day.cities.length > 1 ? day.cities.join(" to ") : day.city}</span><span class="hint">${day.date}</span
        ><strong>${dollars(day.cost)}</strong>
      </div>
      <dl class="team-facts">
        ${
          leg === undefined
            ? nothing
            : this.#row(
                "Leg",
                leg.known,
                html`${leg.mode === "" ? leg.text : `${leg.mode}${leg.number === undefined || leg.number === "" ? "" : ` ${leg.number}`}, ${leg.from} to ${leg.to}`}`,
                [
                  leg.departs !== undefined && leg.departs !== "" ? `${leg.departs} to ${leg.arrives ?? ""}` : "",
                  leg.duration ?? "",
                  leg.kilometres ? `${leg.kilometres} km` : "",
                ],
                leg.cost,
              )
        }
        ${day.meals.filter((m) => m.slot === "breakfast").map((m) => this.#row("Breakfast", m.known, m.name, [m.cuisines.join(", ")], m.cost))}
        ${day.attractions.map((s) => this.#row("See", s.known, s.name, [], 0))}
        ${day.meals.filter((m) => m.slot !== "breakfast").map((m) => this.#row(m.slot === "lunch" ? "Lunch" : "Dinner", m.known, m.name, [m.cuisines.join(", ")], m.cost))}
        ${night === undefined ? nothing : this.#row("Night", night.known, night.name, [night.type, `night ${night.night} of ${night.of}`, night.rooms > 1 ? `${night.rooms} rooms` : ""], night.cost)}
      </dl>
    </li>`;
  }

  #row(what: string, known: boolean, name: unknown, about: readonly string[], cost: number): unknown {
    const said = about.filter((text) => text !== "").join(" · ");
    return html`<div>
      <dt>${what}</dt>
      <dd class="trip-line">
        <span
          >${name}${known ? nothing : html` <span class="pill">not in the records</span>`}${said === "" ? nothing : html` <span class="hint">${said}</span>`}</span
        >${cost === 0 ? nothing : html`<span class="trip-amount">${dollars(cost)}</span>`}
      </dd>
    </div>`;
  }

  #timeline(moments: readonly TravelMoment[]): unknown {
    return html` <ol class="trip-timeline">
      ${moments.map(
        (m, i) =>
          html` <li class=${m.kind}>
            ${moments[i - 1]?.day === m.day ? nothing : html`<strong class="trip-timeline-day">Day ${m.day}</strong>`}
            <span class="trip-time">${m.start < 0 ? "" : `${clock(m.start)} to ${clock(m.end)}`}</span>
            <span class="trip-moment"
              ><span class="hint">${m.kind}</span>
              ${m.label}${m.minutes > 0 && m.start < 0 ? html` <span class="hint">${length(m.minutes)}</span>` : nothing}${m.known ? nothing : html` <span class="pill">not in the records</span>`}</span
            >
            ${m.cost === 0 ? nothing : html`<span class="trip-amount">${dollars(m.cost)}</span>`}
          </li>`,
      )}
    </ol>`;
  }
}

function dollars(n: number): string {
  return `$${n.toLocaleString("en")}`;
}

/** Converts minutes since the first midnight into a time of day. */
function clock(minutes: number): string {
  const m = minutes % (24 * 60);
  return `${String(Math.floor(m / 60)).padStart(2, "0")}:${String(m % 60).padStart(2, "0")}`;
}

function length(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return [hours > 0 ? `${hours} h` : "", minutes % 60 > 0 ? `${minutes % 60} min` : ""]
    .filter((s) => s !== "")
    .join(" ");
}

customElements.define("stile-itinerary", StileItinerary);
