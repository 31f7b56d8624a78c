import { html, nothing } from "lit";
import { iconPlay } from "../ui/panel-icons.js";
import { LightElement, prop } from "../ui/light-element.js";

/** A ready-made experiment of the site. */
export interface Ready {
  readonly name: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The source of the published figures: authors, year and table. */
  readonly source: string;
  /** Number of cells with simulated models. */
  readonly cells: number;
}

/** A chosen experiment. */
export interface Chosen {
  /** Name of its file. */
  readonly name: string;
  /** Whether the experiment is run at once. */
  readonly run: boolean;
}

/** The list of experiments: those of the workspace, and one for each table of the papers. */
export class StileLabList extends LightElement {
  /** Names of the workspace's experiments. */
  @prop own: readonly string[] = [];
  @prop ready: readonly Ready[] = [];
  /** Names of experiments with results. */
  @prop done: readonly string[] = [];
  /** The spec of a new experiment; "" if there is none. */
  @prop template = "";

  protected override render(): unknown {
    const papers = [...new Set(this.ready.map((r) => paperOf(r)))];
    return html` <section class="lab-group" aria-labelledby="lab-own">
        <h2 id="lab-own">In this workspace</h2>
        ${
          this.own.length === 0
            ? html`<p class="hint">No experiment yet: the workspace has no file that ends in <code>.lab</code>.</p>`
            : html`<ul class="lab-grid">
                ${this.own.map((name) => this.#card(name, name, ""))}
              </ul>`
        }
        ${
          this.template === ""
            ? nothing
            : html`<div>
                <button class="button" type="button" @click=${() => this.emit("template-requested", null)}>
                  New experiment with <code>${this.template}</code>
                </button>
              </div>`
        }
      </section>
      ${papers.map(
        (paper, i) =>
          html` <section class="lab-group" aria-labelledby="lab-paper-${i}">
            <h2 id="lab-paper-${i}">
              ${paper} <small class="hint">${authors(this.ready.filter((r) => paperOf(r) === paper))}</small>
            </h2>
            <ul class="lab-grid">
              ${this.ready
                .filter((r) => paperOf(r) === paper)
                .map((r) => {
                  const [place, about] = partsOf(r, paper);
                  return this.#card(`${r.name}.lab`, place, about, r.cells);
                })}
            </ul>
          </section>`,
      )}`;
  }

  #card(name: string, title: string, about: string, cells?: number): unknown {
    return html` <li class="lab-card" data-experiment=${name}>
      <h3><button class="text-link" type="button" @click=${() => this.#choose(name, false)}>${title}</button></h3>
      ${about === "" ? nothing : html`<p>${about}</p>`}
      <div class="row wrap">
        <button class="button small primary" type="button" @click=${() => this.#choose(name, true)}>
          ${iconPlay} Run<span class="visually-hidden"> ${title}${about === "" ? "" : `, ${about}`}</span>
        </button>
        ${cells === undefined ? nothing : html`<span class="hint">${cells} cells</span>`}
        ${this.done.includes(name) ? html`<span class="pill good">results</span>` : nothing}
      </div>
    </li>`;
  }

  #choose(name: string, run: boolean): void {
    this.emit<Chosen>("experiment-chosen", { name, run });
  }
}

/** A title has the form "paper, table: subject". */
function paperOf({ title }: Ready): string {
  return /^[^,:]+/.exec(title)?.[0] ?? title;
}

/** Returns the authors and the year. */
function authors(list: readonly Ready[]): string {
  const all = list.map((r) => /^([^,;]*?) (\d{4})/.exec(r.source));
  return `${all[0]?.[1] ?? ""} ${[...new Set(all.map((m) => m?.[2] ?? ""))].join(", ")}`;
}

function partsOf({ title }: Ready, paper: string): readonly [string, string] {
  const [place, ...about] = title.slice(paper.length).replace(/^, /, "").split(": ");
  const name = (place ?? "").replace(/^./, (c) => c.toUpperCase());
  return [name, about.join(": ").replace(/^./, (c) => c.toUpperCase())];
}

customElements.define("stile-lab-list", StileLabList);
