import { html, nothing, type PropertyValues } from "lit";
import { type CoreClient, CoreError } from "../core/core-client.js";
import { drawingFile, drawingPixels } from "../draw/drawing-file.js";
import { fenced } from "./markdown-fence.js";
import { saveBlob, saveText } from "./save-file.js";
import { type NotationName, notations } from "../core/notations.js";
import { notationOf } from "../store/file-kind.js";
import type { Diagnostic, File, SpecExportResult } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import "./guard.js";
import "./guard-panel.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Milliseconds without typing before the export is updated. */
const WRITE_DELAY = 300;

interface Format {
  readonly id: string;
  readonly label: string;
  readonly ending: string;
  readonly hint: string;
  /** The notations that have this format; all if undefined. */
  readonly of?: readonly NotationName[];
}

/** The notations of temporal formulas, of which one of a file can be exported alone. */
const temporal: readonly NotationName[] = ["formulas", "rules"];
const words: readonly NotationName[] = notations
  .filter((n) => n.steps && !temporal.includes(n.name))
  .map((n) => n.name);
const pushdown: readonly NotationName[] = ["grammar", "automaton"];
const graphs: readonly NotationName[] = [...words, ...temporal];
/** The notations that can be compiled to a guard. */
const guarded: readonly NotationName[] = [...words, "rules"];
/** The formats of an automaton, which rules about data do not have. */
const ofAutomata: readonly string[] = ["svg", "png", "dot", "mermaid", "hoa"];
const drawings: readonly NotationName[] = [...graphs, "team", "problem", "smt2", "lp", "pddl"];

const groups: readonly { readonly title: string; readonly formats: readonly Format[] }[] = [
  {
    title: "The drawing",
    formats: [
      {
        id: "svg",
        label: "SVG",
        ending: "svg",
        hint: "The picture as it is drawn here, in the page’s colours.",
        of: drawings,
      },
      {
        id: "png",
        label: "PNG",
        ending: "png",
        hint: "The same picture as a bitmap, at twice its size.",
        of: drawings,
      },
      { id: "dot", label: "DOT", ending: "dot", hint: "For Graphviz.", of: [...graphs, "team"] },
      {
        id: "mermaid",
        label: "Mermaid",
        ending: "mmd",
        hint: "For Markdown on GitHub and elsewhere.",
        of: [...graphs, "team"],
      },
    ],
  },
  {
    title: "A grammar for a decoder",
    formats: [
      { id: "gbnf", label: "GBNF", ending: "gbnf", hint: "For llama.cpp.", of: words },
      { id: "lark", label: "Lark", ending: "lark", hint: "For Outlines, Guidance and others.", of: words },
      { id: "ebnf", label: "EBNF", ending: "ebnf", hint: "For XGrammar.", of: words },
      { id: "structural-tag", label: "Structural tag", ending: "json", hint: "For vLLM and SGLang.", of: words },
      { id: "w3c", label: "W3C EBNF", ending: "ebnf", hint: "For readers and railroad diagrams.", of: words },
    ],
  },
  {
    title: "An automaton",
    formats: [
      {
        id: "regexp",
        label: "Regular expression",
        ending: "txt",
        hint: "Matches the words, with symbols separated by spaces.",
        of: words.filter((name) => !pushdown.includes(name)),
      },
      {
        id: "hoa",
        label: "HOA",
        ending: "hoa",
        hint: "For Spot and other tools for temporal logic.",
        of: temporal,
      },
    ],
  },
  {
    title: "For solvers and planners",
    formats: [
      {
        id: "steps-text",
        label: "SMT-LIB",
        ending: "smt2",
        hint: "Satisfiable if there is a plan of the minimum number of steps; for Z3 and others.",
        of: ["pddl"],
      },
      {
        id: "steps-domain",
        label: "Domain",
        ending: "pddl",
        hint: "The domain only, as planners read it.",
        of: ["pddl"],
      },
      {
        id: "steps-problem",
        label: "Problem",
        ending: "pddl",
        hint: "The problem only, as planners read it.",
        of: ["pddl"],
      },
    ],
  },
  {
    title: "A document",
    formats: [
      {
        id: "markdown",
        label: "Markdown with link",
        ending: "md",
        hint: "The diagram, the text, and a link that opens it here.",
        of: [...graphs, "team"],
      },
    ],
  },
];

/** The Export tab: the spec in other notations, its drawing as a file, and guards. */
export class StileExport extends LightElement {
  /** The open spec; null for notes. */
  @prop spec: File | null = null;
  /** The workspace, because a spec may refer to other files. */
  @prop files: readonly File[] = [];
  @prop core!: Pick<CoreClient, "call">;
  @prop share!: () => Promise<string>;
  @prop broken = false;
  @state chosen = "mermaid";
  @state text = "";
  @state fault = "";
  /** The reason why the rules have no automaton; "" if they have one. */
  @state shapeless = "";
  /** Limits of the notation, and instructions. */
  @state remarks: readonly Diagnostic[] = [];
  /** The formulas of the file, and the index of the exported one; -1 for all. */
  @state formulas: readonly string[] = [];
  @state formula = -1;

  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override render(): unknown {
    const { spec } = this;
    const notation = spec === null ? null : notationOf(spec.name);
    if (spec === null || notation === null)
      return html`<p class="empty">
        Notes are exported as they are: use Save. Choose a spec to see it in other notations.
      </p>`;
    if (this.broken) return html`<p class="empty">Fix the errors to export the file in other notations.</p>`;
    const fits = this.#fitting(spec);
    if (fits.length === 0)
      return html`<p class="empty">There are no other notations for <code>${spec.name}</code>.</p>`;
    const format = this.#format(spec);
    const name = `${spec.name.replace(/.*\//, "").replace(/\.\w+$/, "")}.${format?.ending ?? "txt"}`;
    return html` <section class="verify-part" aria-labelledby="export-title">
        <h2 id="export-title">Export <code>${spec.name}</code></h2>
        ${fits.map(
          ({ title, formats }) =>
            html` <div class="export-group" role="group" aria-label=${title}>
              <span class="hint">${title}</span>
              <div class="row wrap">
                ${formats.map((f) => html`<button class="button small" type="button" data-format=${f.id} aria-pressed=${f.id === format?.id} @click=${() => this.#choose(f.id)}>${f.label}</button>`)}
              </div>
            </div>`,
        )}
        ${this.shapeless === "" ? nothing : html`<p class="hint" role="status">${sentence(this.shapeless)}</p>`}
      </section>
      <section class="verify-part" aria-live="polite">
        ${
          format === undefined
            ? html`<p class="hint">Choose a format.</p>`
            : html` ${
                  this.formulas.length === 0 || !ofFormulas.includes(format.id)
                    ? nothing
                    : html` <label class="field narrow"
                        ><span>Formula</span
                        ><select
                          @change=${(e: Event) => this.#chooseFormula(Number((e.target as HTMLSelectElement).value))}
                        >
                          <option value="-1" ?selected=${this.formula === -1}>All ${this.formulas.length}</option>
                          ${this.formulas.map((f, i) => html`<option value=${i} ?selected=${this.formula === i}>${f}</option>`)}
                        </select></label
                      >`
                }
                <div class="form-head">
                  <h3>${name}</h3>
                  <span class="hint">${format.hint}</span>
                  <span class="row"
                    >${format.id === "png" ? nothing : html`<stile-copy-button .text=${this.text} .what=${name}></stile-copy-button>`}
                    <button
                      class="button small"
                      type="button"
                      ?disabled=${format.id !== "png" && this.text === ""}
                      @click=${() => void this.#save(format, name)}
                    >
                      Download
                    </button></span
                  >
                </div>
                ${this.fault === "" ? nothing : html`<p class="fault" role="alert"><span>${sentence(this.fault)}</span></p>`}
                ${
                  this.remarks.length === 0
                    ? nothing
                    : html`<ul class="export-remarks" aria-label="Remarks">
                        ${this.remarks.map(({ severity, message }) => html`<li class=${severity === "warning" ? "tone-warning" : "hint"}>${sentence(message)}</li>`)}
                      </ul>`
                }
                ${format.id === "png" || this.text === "" ? nothing : html`<pre class="prompt export-text" tabindex="0" aria-label=${name}>${this.text}</pre>`}`
        }
      </section>
      ${
        !guarded.includes(notation)
          ? nothing
          : html` <section class="verify-part" aria-labelledby="export-file-title">
              <h2 id="export-file-title">A compiled guard</h2>
              <stile-guard-panel .spec=${spec} .files=${this.files} .core=${this.core}></stile-guard-panel>
            </section>`
      }
      ${
        notation !== "agent"
          ? nothing
          : html` <section class="verify-part" aria-labelledby="export-guard-title">
              <h2 id="export-guard-title">A guard for production</h2>
              <stile-guard .spec=${spec} .files=${this.files} .core=${this.core}></stile-guard>
            </section>`
      }`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("spec");
    if (!changed.has("spec") && changed.get("broken") === undefined) return;
    if (before?.name === this.spec?.name && before?.text === this.spec?.text && changed.get("broken") === undefined)
      return;
    if (before?.name !== this.spec?.name) {
      this.formula = -1;
      this.formulas = [];
      this.remarks = [];
      this.shapeless = "";
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.shapeless = ""; // the new text may have an automaton
        void this.#write();
      },
      before === undefined ? 0 : WRITE_DELAY,
    );
  }

  /** Returns the formats of a spec; rules about data have no automaton to draw or write. */
  #fitting(spec: File): typeof groups {
    return groups
      .map(({ title, formats }) => ({ title, formats: formats.filter((f) => this.#fits(f, notationOf(spec.name))) }))
      .filter(({ formats }) => formats.length > 0);
  }

  #fits({ id, of }: Format, notation: NotationName | null): boolean {
    if (this.shapeless !== "" && ofAutomata.includes(id)) return false;
    return of === undefined || (notation !== null && of.includes(notation));
  }

  /** Returns the chosen format; of rules without an automaton, the document. */
  #format(spec: File): Format | undefined {
    const all = this.#fitting(spec).flatMap(({ formats }) => formats);
    return all.find(({ id }) => id === this.chosen) ?? (this.shapeless === "" ? undefined : all[0]);
  }

  #choose(id: string): void {
    this.chosen = id;
    this.text = "";
    this.fault = "";
    this.remarks = [];
    void this.#write();
  }

  #chooseFormula(index: number): void {
    this.formula = index;
    void this.#write();
  }

  async #write(): Promise<void> {
    const { spec, broken, formula } = this;
    const format = spec === null || broken ? undefined : this.#format(spec);
    if (spec === null || format === undefined) return;
    const outdated = (): boolean =>
      formula !== this.formula ||
      spec.name !== this.spec?.name ||
      spec.text !== this.spec.text ||
      format.id !== this.#format(this.spec)?.id;
    try {
      const { text, diagnostics, formulas } = await this.#textOf(format.id, spec);
      if (outdated()) return;
      this.text = text;
      this.remarks = diagnostics ?? [];
      this.formulas = formulas ?? [];
      this.fault = "";
    } catch (reason) {
      if (outdated()) return;
      if (formula < 0 && reason instanceof CoreError && reason.code === "rules.data") {
        this.shapeless = reason.message;
        this.text = "";
        return this.#write();
      }
      this.text = "";
      this.remarks = [];
      this.fault = reason instanceof Error ? reason.message : String(reason);
    }
  }

  async #textOf(format: string, spec: File): Promise<SpecExportResult> {
    const written = async (notation: string): Promise<SpecExportResult> =>
      this.core.call("spec.export", {
        name: spec.name,
        text: spec.text,
        format: notation,
        files: [...this.files],
        ...(this.formula < 0 ? {} : { formula: this.formula }),
      });
    switch (format) {
      case "png":
        return { text: "" };
      case "svg":
        return { text: drawingFile(drawn()) };
      case "markdown": {
        const none: SpecExportResult = { text: "" };
        const [mermaid, link] = await Promise.all([this.shapeless === "" ? written("mermaid") : none, this.share()]);
        const diagram = mermaid.text === "" ? "" : `${fenced("mermaid", mermaid.text)}\n\n`;
        return {
          ...mermaid,
          text: `${diagram}${fenced(spec.name.split(".").pop() ?? "", spec.text)}\n\n[Open it in Stile](${link})\n`,
        };
      }
      case "steps-text":
      case "steps-domain":
      case "steps-problem": {
        const { text, domain, problem } = await this.core.call("steps.encode", {
          files: [...this.files],
          name: spec.name,
          steps: -1,
        });
        return { text: { "steps-text": text, "steps-domain": domain, "steps-problem": problem }[format] };
      }
      default:
        return written(format);
    }
  }

  async #save(format: Format, name: string): Promise<void> {
    if (format.id !== "png") return saveText(name, this.text);
    try {
      saveBlob(name, await drawingPixels(drawn()));
      this.fault = "";
    } catch (reason) {
      this.fault = reason instanceof Error ? reason.message : String(reason);
    }
  }
}

/** The formats that export a single formula. */
const ofFormulas: readonly string[] = ["dot", "mermaid", "hoa", "markdown"];

/** Returns the drawing of the Automaton tab. */
function drawn(): SVGElement {
  const svg = document.querySelector<SVGElement>(".main-drawing svg.drawing");
  if (svg === null) throw new Error("there is no drawing yet; open the Automaton tab first");
  return svg;
}

customElements.define("stile-export", StileExport);
