import { html, nothing } from "lit";
import { valueOf } from "../ui/form-input.js";
import { partName } from "./trace-labels.js";
import type { MonitorMapping, MonitorRoles, TraceMapped } from "../core/wire.js";
import { count } from "../ui/text.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The maximum number of listed kinds of parts; a conversation with more tools needs a mapping file. */
const MAX_LISTED = 60;

const roleNames: readonly (readonly [role: keyof MonitorRoles, label: string])[] = [
  ["action", "the tool’s name"],
  ["input", "the tool’s input"],
  ["label", "a name for its result"],
];

/** The mapping of a conversation's parts to states: guesses that the person can correct. */
export class StileTraceMapping extends LightElement {
  /** The mapping of each kind of part. */
  @prop mapped: readonly TraceMapped[] = [];
  @prop states: readonly string[] = [];
  /** The manual mapping. */
  @prop mapping: readonly MonitorMapping[] = [];
  @prop roles: MonitorRoles = {};

  protected override render(): unknown {
    const said = this.mapping.length + roleNames.filter(([role]) => (this.roles[role] ?? "") !== "").length;
    return html` <details class="more" open>
      <summary>
        Mapping to states
        <span class="hint">${said === 0 ? "as guessed" : `${count(said, "line")} set by you`}</span>
      </summary>
      <div class="mapping">
        <div class="compare-scroll" tabindex="0" role="region" aria-label="Mapping to states">
          <table class="mapping-table">
            <thead>
              <tr>
                <th scope="col">In the conversation</th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              ${this.mapped.slice(0, MAX_LISTED).map((row) => this.#row(row))}
            </tbody>
          </table>
        </div>
        ${this.mapped.length > MAX_LISTED ? html`<p class="hint">and ${this.mapped.length - MAX_LISTED} kinds more</p>` : nothing}
        <fieldset class="fields group">
          <legend>States of a call</legend>
          ${roleNames.map(
            ([role, label]) =>
              html` <label class="field narrow"
                ><span>${label}</span>
                <select data-role=${role} @change=${(e: Event) => this.#role(role, valueOf(e))}>
                  <option value="" .selected=${(this.roles[role] ?? "") === ""}>by its prompt</option>
                  ${this.states.map((s) => html`<option value=${s} .selected=${s === this.roles[role]}>${s}</option>`)}
                </select></label
              >`,
          )}
        </fieldset>
        ${said === 0 ? nothing : html`<div><button class="button small" type="button" @click=${this.#reset}>As guessed</button></div>`}
      </div>
    </details>`;
  }

  #row(row: TraceMapped): unknown {
    const said = this.#said(row)?.states;
    const name = partName(row.part, row.tool);
    const call = row.part === "call";
    const guessed =
      said === undefined
        ? `guessed: ${row.states.length === 0 ? "no state" : row.states.join(", ")}${row.varies ? " and others" : ""}`
        : "as guessed";
    return html` <tr>
      <th scope="row">${name} ${row.number > 1 ? html`<span class="hint">× ${row.number}</span>` : nothing}</th>
      <td>
        <span class="mapping-selects">
          <select
            aria-label=${call ? `${name}: its first state` : name}
            @change=${(e: Event) => this.#first(row, valueOf(e))}
          >
            <option value="guess" .selected=${said === undefined}>${guessed}</option>
            <option value="none" .selected=${said?.length === 0}>no state</option>
            ${this.states.map((s) => html`<option value="state:${s}" .selected=${said?.[0] === s}>${s}</option>`)}
          </select>
          ${
            call && said !== undefined && said.length > 0
              ? html` <select
                  aria-label="${name}: a second state, for the input"
                  @change=${(e: Event) => this.#second(row, valueOf(e))}
                >
                  <option value="none" .selected=${said.length < 2}>and nothing else</option>
                  ${this.states.map((s) => html`<option value="state:${s}" .selected=${said[1] === s}>then ${s}</option>`)}
                </select>`
              : nothing
          }
        </span>
      </td>
    </tr>`;
  }

  #said(row: TraceMapped): MonitorMapping | undefined {
    return this.mapping.find((m) => m.part === row.part && (m.tool ?? "") === (row.tool ?? ""));
  }

  #first(row: TraceMapped, value: string): void {
    if (value === "guess") this.#say(row, null);
    else if (value === "none") this.#say(row, []);
    // If a call maps to two states, the second is unchanged.
    else
      this.#say(row, [
        stateOf(value),
        ...(row.part === "call" && row.states.length === 2 && row.states[1] !== stateOf(value)
          ? row.states.slice(1)
          : []),
      ]);
  }

  #second(row: TraceMapped, value: string): void {
    const first = this.#said(row)?.states.slice(0, 1) ?? [];
    this.#say(row, value === "none" ? first : [...first, stateOf(value)]);
  }

  #say(row: TraceMapped, states: readonly string[] | null): void {
    const others = this.mapping.filter((m) => m !== this.#said(row));
    this.emit<readonly MonitorMapping[]>(
      "mapping-changed",
      states === null
        ? others
        : [...others, { part: row.part, ...(row.tool !== undefined && { tool: row.tool }), states }],
    );
  }

  #role(role: keyof MonitorRoles, state: string): void {
    const { [role]: _, ...others } = this.roles;
    this.emit<MonitorRoles>("roles-changed", state === "" ? others : { ...others, [role]: state });
  }

  #reset = (): void => {
    this.emit<readonly MonitorMapping[]>("mapping-changed", []);
    this.emit<MonitorRoles>("roles-changed", {});
  };
}

function stateOf(value: string): string {
  return value.slice("state:".length);
}

customElements.define("stile-trace-mapping", StileTraceMapping);
