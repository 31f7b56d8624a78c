import { html, nothing } from "lit";
import { readAssets } from "../core/assets.js";
import { iconError, iconOpen, iconWarning, mark } from "../ui/icons.js";
import { pictureOf } from "../draw/diagram-state.js";
import { Playground } from "../store/playground.js";
import { share } from "../share/share-link.js";
import { viewsOf } from "../store/formula-view.js";
import { hasSteps, notationOf } from "../store/file-kind.js";
import type { Analysis, Place, State } from "../store/state.js";
import { Store } from "../store/store.js";
import type { DrawingWholeResult } from "../core/wire.js";
import "../draw/drawing.js";
import type { TextPlace } from "../draw/drawing.js";
import "../edit/editor.js";
import type { TextEdited } from "../edit/editor.js";
import type { TestWord } from "../tests/tests-panel.js";
import { LightElement, state } from "../ui/light-element.js";
import { sentence } from "../ui/text.js";
import "../draw/stepper.js";

/** The parts of an embed. */
const parts = ["automaton", "text", "step", "tests"] as const;
type Part = (typeof parts)[number];

/** The parameters of an embed's address. */
interface EmbedOptions {
  readonly show: readonly Part[];
  readonly readOnly: boolean;
  readonly theme: "light" | "dark" | "system";
  readonly example: string;
}

function readOptions(search: string): EmbedOptions {
  const params = new URLSearchParams(search);
  const wanted = (params.get("show") ?? "automaton,text").split(",");
  const show = parts.filter((part) => wanted.includes(part));
  const theme = params.get("theme");
  return {
    show: show.length === 0 ? ["automaton"] : show,
    readOnly: params.has("readonly"),
    theme: theme === "light" || theme === "dark" ? theme : "system",
    example: params.get("example") ?? "",
  };
}

/**
 * A specification within another page. It stores nothing on the device and calls no model; edits are
 * passed on to the playground and to the embedding page.
 */
export class StileEmbedded extends LightElement {
  @state state!: State;
  @state treeShown = false;
  /** Target of "Open in Stile". */
  @state link = "./";

  readonly #options = readOptions(location.search);
  readonly #store = new Store({ title: "", files: [], current: "" });
  readonly #playground = new Playground(this.#store, readAssets(), true);
  #linked: Analysis | null = null;
  /** Revision of the link's texts. */
  #linkedRevision = -1;

  constructor() {
    super();
    this.replaceChildren();
    this.state = this.#store.state;
    this.#store.subscribe((state) => (this.state = state));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#options.theme !== "system") document.documentElement.dataset["theme"] = this.#options.theme;
    const tests = this.#options.show.includes("tests");
    if (tests) this.#playground.part(() => import("../tests/tests-panel.js")).catch(() => {});
    void this.#playground.startEmbedded(this.#options.example, tests);
  }

  protected override updated(): void {
    // A new analysis means that the texts may have changed, so the link is made again.
    if (this.state.analysis === this.#linked || this.state.analysis === null) return;
    this.#linked = this.state.analysis;
    void this.#makeLink();
  }

  protected override render(): unknown {
    const { state } = this;
    const { show } = this.#options;
    return html` <header class="embed-bar">
        ${mark}
        <h1 class="visually-hidden">A specification in Stile</h1>
        ${
          state.files.length < 2
            ? nothing
            : html` <select
                aria-label="File"
                @change=${(e: Event) => this.#store.openedFile((e.target as HTMLSelectElement).value)}
              >
                ${state.files.map((f) => html`<option ?selected=${f.name === state.current}>${f.name}</option>`)}
              </select>`
        }
        <span class="summary" role="status">${this.#summary()}</span>
        <a class="button small" href=${this.link} target="_blank" rel="noopener" @click=${this.#open}
          >${iconOpen}<span>Open in Stile</span></a
        >
      </header>
      <main class="embed-panes">
        ${state.files.length === 0 ? html`<p class="empty" role="status">${state.banner === null ? "The specification is loading…" : html`<span class="tone-error">${iconError}</span> ${state.banner.text}`}</p>` : show.map((part) => this.#part(part))}
      </main>
      <div class="embed-problems" aria-label="Problems">${this.#problems()}</div>`;
  }

  #summary(): string {
    const { analysis, core, analysisFault, files } = this.state;
    if (core.status === "failed") return core.fault.message;
    if (files.length === 0) return "";
    return analysisFault?.message ?? analysis?.result.summary ?? "";
  }

  #problems(): unknown {
    const found = this.state.analysis?.result.diagnostics.filter((d) => d.severity !== "info") ?? [];
    if (found.length === 0) return nothing;
    return html`<ul class="problem-list">
      ${found.slice(0, 20).map(
        (d) =>
          html` <li class="problem">
            <button class="problem-main" type="button" @click=${() => this.#go({ from: d.from, to: d.to })}>
              <span class="tone-${d.severity}">${d.severity === "error" ? iconError : iconWarning}</span>
              <span class="problem-text"
                >Line ${d.line}: ${sentence(d.message)}<span class="visually-hidden"> (${d.severity})</span></span
              >
            </button>
          </li>`,
      )}
    </ul>`;
  }

  #part(part: Part): unknown {
    const { state } = this;
    const result = state.analysis?.result;
    const { drawing, old, note, broken, stale, fault } = pictureOf(state);
    const tree = this.treeShown && !old ? state.walk?.result.treeDrawing : undefined;
    const notation = notationOf(state.current);
    switch (part) {
      case "automaton":
        return html` <div class="embed-drawing">
          <stile-drawing
            class="main-drawing"
            ?hidden=${drawing === null && (result !== undefined || fault !== null)}
            .drawing=${tree ?? drawing}
            .old=${old}
            .note=${note}
            .layouts=${this.#playground.layouts}
            .slotName=${"automaton"}
            .active=${tree !== undefined ? [] : (state.walk?.result.active ?? [])}
            .cursor=${state.cursor}
            .first=${null}
            .asTable=${false}
            .of=${state.generation + state.current}
            .explore=${this.#explore}
            .view=${state.view}
            .views=${tree === undefined ? viewsOf(state) : []}
            @view-chosen=${(e: CustomEvent<string>) => this.#playground.chooseView(e.detail)}
            @place-requested=${(e: CustomEvent<TextPlace>) => this.#go(e.detail)}
          ></stile-drawing>
        </div>`;
      case "text":
        return html` <div class="embed-text">
          <stile-editor
            aria-label="Text of ${state.current}"
            .name=${state.current}
            .text=${state.files.find((f) => f.name === state.current)?.text ?? ""}
            .generation=${state.generation}
            .revision=${state.revision}
            .analysis=${state.analysis}
            .reveal=${state.reveal}
            @cursor-moved=${(e: CustomEvent<number>) => this.#playground.moveCursor(e.detail)}
            .service=${notation === null || this.#options.readOnly ? null : this.#playground.language}
            .wrap=${notation === null}
            .readOnly=${this.#options.readOnly}
            @text-edited=${(e: CustomEvent<TextEdited>) => this.#store.editedText(e.detail.name, e.detail.text)}
            @cursor-moved=${(e: CustomEvent<number>) => this.#store.movedCursor(e.detail)}
          ></stile-editor>
        </div>`;
      case "tests":
        return html` <div class="embed-tests tests-pane">
          ${
            state.tests === null
              ? html`<p class="hint">
                  ${state.files.some((f) => notationOf(f.name) === "tests") ? "The tests are loading…" : "This workspace has no tests."}
                </p>`
              : html`<stile-tests
                  .result=${state.tests}
                  .current=${state.current}
                  .cursor=${state.cursor}
                  .old=${state.tests.revision !== state.revision}
                  @word-requested=${(e: CustomEvent<TestWord>) => this.#playground.stepThrough(e.detail.spec, e.detail.word)}
                  @place-requested=${(e: CustomEvent<Omit<Place, "count">>) => this.#playground.show(e.detail)}
                ></stile-tests>`
          }
        </div>`;
      case "step":
        return html` <div class="embed-step">
          ${
            notation === null || !hasSteps(state.current)
              ? html`<p class="hint">
                  Only grammars, automata, flowcharts, formulas and agents can be stepped through.
                </p>`
              : html` <stile-stepper
                  class=${stale && !broken ? "old" : ""}
                  .word=${state.word}
                  .walk=${state.walk}
                  .fault=${fault}
                  .notation=${notation}
                  .broken=${broken}
                  .labels=${result?.symbols ?? []}
                  .checked=${[]}
                  .treeShown=${this.treeShown}
                  @tree-requested=${(e: CustomEvent<boolean>) => (this.treeShown = e.detail)}
                  @word-changed=${(e: CustomEvent<readonly string[]>) => this.#playground.step(e.detail)}
                ></stile-stepper>`
          }
        </div>`;
    }
  }

  #explore = (view: string): Promise<DrawingWholeResult> => this.#playground.whole(view);

  #go({ from, to }: { readonly from: number; readonly to: number }): void {
    this.#store.requestedPlace(this.state.current, from, to);
  }

  /** Opens the current text, also if the link lacks the last edits. */
  readonly #open = async (event: MouseEvent): Promise<void> => {
    if (!this.state.edited || this.state.revision === this.#linkedRevision) return;
    event.preventDefault();
    await this.#makeLink();
    window.open(this.link, "_blank", "noopener");
  };

  async #makeLink(): Promise<void> {
    const { revision } = this.state;
    try {
      const fragment = new URL(await share(this.#playground, false)).hash;
      this.link = `./${fragment}`;
      this.#linkedRevision = revision;
      // The embedding page may read only the text. If the text has changed in the meantime, the
      // next analysis makes another link.
      if (window.parent !== window && this.state.edited && this.state.revision === revision)
        window.parent.postMessage({ stile: "changed", fragment }, "*");
    } catch {
      // The link keeps the earlier text.
    }
  }
}

customElements.define("stile-embedded", StileEmbedded);
