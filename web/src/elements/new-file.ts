import { html } from "lit";
import type { Renaming } from "./files.js";
import { LightElement } from "./light-element.js";

const kinds = [
  { ending: "team", label: "a team" },
  { ending: "problem", label: "a problem for a solver" },
  { ending: "smt2", label: "SMT-LIB for Z3" },
  { ending: "lp", label: "LP for HiGHS" },
  { ending: "pddl", label: "steps in PDDL" },
  { ending: "lab", label: "an experiment" },
];

/** What else a file that has just been made may be; each has a beginning of its own. */
export class StileNewFile extends LightElement {
  static override properties = { name: { attribute: false } };
  declare name: string;

  constructor() {
    super();
    this.name = "";
  }

  protected override render(): unknown {
    return html`
      <div class="new-kinds" role="group" aria-label="What the new file is to be">
        <span class="hint">A grammar. Or make it</span>
        ${kinds.map(({ ending, label }) => html`<button class="button small" type="button" data-kind=${ending} @click=${() => this.emit<Renaming>("file-renamed", { name: this.name, to: this.name.replace(/\.cfg$/, `.${ending}`) })}>${label}</button>`)}
      </div>`;
  }
}

customElements.define("stile-new-file", StileNewFile);
