import { html, nothing } from "lit";
import { base64 } from "../core/base64.js";
import type { CoreClient } from "../core/core-client.js";
import { valueOf } from "../ui/form-input.js";
import type { WorkspaceRequest } from "../run/run-command.js";
import type { TravelDataResult, TravelQuery, TravelWishes } from "../core/wire.js";
import { tripRecordsFile } from "../store/benchmark-files.js";
import { sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "./trip-result.js";

/** A benchmark query with its human plan. */
interface Sample {
  readonly index: number;
  readonly level: string;
  readonly query: TravelQuery;
  readonly plan: string;
}

/** Plans of trips: TravelPlanner's queries, human plans, and their constraints. */
export class StileTrip extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** Loads a file of the benchmark's records. */
  @prop records!: (name: string) => Promise<string>;
  @state samples: readonly Sample[] = [];
  @state known: TravelDataResult | null = null;
  @state query: TravelQuery | null = null;
  /** Index of the sample that the query is based on. */
  @state chosen = -1;
  @state plan = "";
  @state fault = "";

  #data = "";

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#data === "") void this.#fetch();
  }

  protected override render(): unknown {
    const { query, known } = this;
    if (query === null || known === null)
      return this.fault === ""
        ? html`<p class="empty" role="status">Loading the records…</p>`
        : html`<p class="fault" role="alert">${this.fault}</p>`;
    return html` <p class="hint">
        Queries, records and plans of TravelPlanner (Xie et al. 2024): a sample of twelve training queries with the
        plans that people wrote for them.
      </p>
      <div class="trip">
        <div class="trip-asked">${this.#form(query, known)} ${this.#plan(query)}</div>
        <div class="trip-found">
          ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
          <stile-trip-result
            .core=${this.core}
            .data=${this.#data}
            .query=${query}
            .plan=${this.plan}
          ></stile-trip-result>
        </div>
      </div>`;
  }

  #form(q: TravelQuery, known: TravelDataResult): unknown {
    const constraints = q.local_constraint;
    const many = q.days > 3;
    return html` <form class="fields trip-query" aria-label="Query to plan" @submit=${(e: Event) => e.preventDefault()}>
      <label class="field wide"
        ><span>Query</span>
        <select @change=${(e: Event) => this.#open(Number(valueOf(e)))}>
          ${this.samples.map((s, i) => html`<option value=${i} .selected=${i === this.chosen}>${s.query.org} to ${s.query.dest}, ${s.query.days} days, ${s.level}</option>`)}
        </select></label
      >
      <p class="field wide hint">${q.query ?? ""}</p>
      ${this.#text("From", q.org, "trip-cities", (org) => this.#ask({ org }))}
      ${this.#text(many ? "To, a state" : "To", q.dest, many ? "trip-states" : "trip-cities", (dest) => this.#ask({ dest }))}
      ${this.#number("Days", q.days, 1, 31, (days) => this.#ask({ days, date: datesFrom(q.date[0] ?? "", days), visiting_city_number: Math.min(q.visiting_city_number, days) }))}
      ${this.#number("Cities", q.visiting_city_number, 1, q.days, (n) => this.#ask({ visiting_city_number: n }))}
      <label class="field narrow"
        ><span>First day</span
        ><input
          type="date"
          .value=${q.date[0] ?? ""}
          @change=${(e: Event) => this.#ask({ date: datesFrom(valueOf(e), q.days) })}
      /></label>
      ${this.#number("People", q.people_number, 1, 100, (n) => this.#ask({ people_number: n }))}
      ${this.#number("Budget, dollars", q.budget, 0, 1_000_000, (budget) => this.#ask({ budget }))}
      ${this.#choice("Must be allowed", constraints["house rule"], known.houseRules, (v) => this.#setConstraint({ "house rule": v }))}
      ${this.#choice("Room", constraints["room type"], known.roomTypes, (v) => this.#setConstraint({ "room type": v }))}
      ${this.#choice("Travel", constraints.transportation, known.transports, (v) => this.#setConstraint({ transportation: v }))}
      <fieldset class="field wide group">
        <legend>Cuisines</legend>
        <div class="checks">
          ${known.cuisines.map(
            (c) =>
              html` <label class="check"
                ><input
                  type="checkbox"
                  .checked=${constraints.cuisine.includes(c)}
                  @change=${(e: Event) => this.#setConstraint({ cuisine: (e.target as HTMLInputElement).checked ? [...constraints.cuisine, c] : constraints.cuisine.filter((o) => o !== c) })}
                />
                <span>${c}</span></label
              >`,
          )}
        </div>
      </fieldset>
      <datalist id="trip-cities">${known.cities.map((c) => html`<option value=${c}></option>`)}</datalist>
      <datalist id="trip-states">${known.states.map((c) => html`<option value=${c}></option>`)}</datalist>
    </form>`;
  }

  #plan(q: TravelQuery): unknown {
    const human = this.samples[this.chosen]?.plan ?? "";
    const flows = q.days === 2 * q.visiting_city_number + 1;
    return html` <section class="trip-plan">
      <label class="field wide"
        ><span>Plan</span>
        <textarea
          class="code"
          rows="9"
          spellcheck="false"
          placeholder="JSON, one day per entry, or “Day 1: …”"
          .value=${this.plan}
          @input=${(e: Event) => (this.plan = valueOf(e))}
        ></textarea>
      </label>
      <div class="row wrap">
        <button class="button small" type="button" ?disabled=${this.plan === human} @click=${() => (this.plan = human)}>
          The human plan
        </button>
        <button class="button small" type="button" @click=${() => void this.#team()}>Have a team plan it</button>
        <button class="button small" type="button" ?disabled=${!flows} @click=${() => void this.#flow()}>
          Plan with an automaton
        </button>
      </div>
      <p class="hint">
        ${flows ? "The automaton’s words are trips that satisfy the commonsense constraints; the query’s hard constraints are formulas (Formal-LLM)." : "The automaton is available only for trips with exactly two nights in each city."}
      </p>
    </section>`;
  }

  #text(label: string, value: string, list: string, change: (value: string) => void): unknown {
    return html`<label class="field"
      ><span>${label}</span
      ><input
        type="text"
        list=${list}
        autocomplete="off"
        .value=${value}
        @change=${(e: Event) => change(valueOf(e).trim())}
    /></label>`;
  }

  #number(label: string, value: number, least: number, most: number, change: (n: number) => void): unknown {
    return html` <label class="field narrow"
      ><span>${label}</span
      ><input
        type="number"
        min=${least}
        max=${most}
        step="1"
        .value=${String(value)}
        @change=${(e: Event) => {
          const n = Math.min(Math.max(Math.floor(Number(valueOf(e)) || least), least), most);
          (e.target as HTMLInputElement).value = String(n);
          change(n);
        }}
    /></label>`;
  }

  #choice(label: string, value: string, choices: readonly string[], change: (value: string) => void): unknown {
    return html` <label class="field"
      ><span>${label}</span
      ><select @change=${(e: Event) => change(valueOf(e))}>
        <option value="" .selected=${value === ""}>in original form</option>
        ${choices.map((c) => html`<option value=${c} .selected=${c === value}>${c}</option>`)}
      </select></label
    >`;
  }

  async #fetch(): Promise<void> {
    try {
      const [data, queries] = await Promise.all([
        this.records("travelplanner/data.json"),
        this.records("travelplanner/queries.json"),
      ]);
      this.known = await this.core.call("travel.data", { data: [data] });
      this.#data = data;
      this.samples = (JSON.parse(queries) as (Record<string, unknown> & { index: number; level: string })[]).map(
        (q) => ({
          index: q.index,
          level: q.level,
          query: queryOf(q),
          plan: JSON.stringify(q["annotated_plan"], null, 1),
        }),
      );
      this.#open(0);
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }

  /** Opens a workspace in which a team plans the trip; a simulated model delivers the plan in the field. */
  async #team(): Promise<void> {
    const { query } = this;
    if (query === null) return;
    try {
      const { files, name, task } = await this.core.call("travel.team", { data: [this.#data], query, plan: this.plan });
      this.emit<WorkspaceRequest>("workspace-requested", {
        workspace: {
          title: `${query.org} to ${query.dest}`,
          files: [...files, { name: tripRecordsFile, text: this.#data }],
          current: name,
        },
        task,
      });
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }

  /** Opens the query as an automaton, with its constraints as formulas and the records as symbols. */
  async #flow(): Promise<void> {
    const { query } = this;
    if (query === null) return;
    try {
      const archive = new TextEncoder().encode(await this.records("travel.txtar"));
      const like = await this.core.call("workspace.import", { name: "travel.txtar", base64: base64(archive) });
      const tools = like.files.find((f) => f.name === "tools.json")?.text ?? "";
      const { files, name, task } = await this.core.call("travel.flow", { data: [this.#data], query, tools });
      this.emit<WorkspaceRequest>("workspace-requested", {
        workspace: { title: `${query.org} to ${query.dest}`, files, current: name },
        task,
      });
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }

  /** Opens a sample's query with its human plan. */
  #open(at: number): void {
    const sample = this.samples[at];
    if (sample === undefined) return;
    this.chosen = at;
    this.query = sample.query;
    this.plan = sample.plan;
  }

  #ask(change: Partial<TravelQuery>): void {
    if (this.query === null) return;
    // The query's text would no longer match the edited fields.
    const { query: _, ...rest } = this.query;
    this.query = { ...rest, ...change };
  }

  #setConstraint(change: Partial<TravelWishes>): void {
    if (this.query !== null) this.#ask({ local_constraint: { ...this.query.local_constraint, ...change } });
  }
}

/** Returns a query of the records with all fields set. */
function queryOf(q: Record<string, unknown>): TravelQuery {
  const asked = (q["local_constraint"] ?? {}) as Record<string, unknown>;
  const text = (name: string): string => (typeof asked[name] === "string" ? asked[name] : "");
  return {
    org: String(q["org"]),
    dest: String(q["dest"]),
    days: Number(q["days"]),
    visiting_city_number: Number(q["visiting_city_number"]),
    date: q["date"] as string[],
    people_number: Number(q["people_number"]),
    budget: Number(q["budget"]),
    query: String(q["query"] ?? ""),
    level: String(q["level"] ?? ""),
    local_constraint: {
      "house rule": text("house rule"),
      cuisine: Array.isArray(asked["cuisine"]) ? (asked["cuisine"] as string[]) : [],
      "room type": text("room type"),
      transportation: text("transportation"),
    },
  };
}

/** Returns consecutive dates from the first one; none if it is invalid. */
function datesFrom(first: string, days: number): readonly string[] {
  const start = Date.parse(`${first}T00:00:00Z`);
  return Number.isNaN(start)
    ? []
    : Array.from({ length: days }, (_, i) => new Date(start + i * 86_400_000).toISOString().slice(0, 10));
}

customElements.define("stile-trip", StileTrip);
