// Editor features that need the core: completion, hover cards, definitions and references, rename,
// folds. It is loaded when the editor is first used.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  completionStatus,
} from "@codemirror/autocomplete";
import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView,
  hoverTooltip,
  keymap,
  type Panel,
  showPanel,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import type { LanguageCard, LanguageFold, LanguageItem, LanguagePlace } from "../core/wire.js";
import type { Service } from "./language-service.js";
import { sentence } from "../ui/text.js";

/** The partial word before the cursor. */
const BEGUN = /[^\s()[\]{},;"]+$/;
/** Matches the text during whose typing a completion list stays valid. */
const STILL = /^[^\s()[\]{},;]*$/;
/** Milliseconds without typing before folds are requested again. */
const FOLD_DELAY = 400;

/** The brackets and quotes that are closed as they are typed, by the ending of the file. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  cfg: ['"'],
  flow: ["{", '"'],
  ltl: ["(", '"'],
  lp: [],
  agent: ["(", '"'],
  pddl: ["("],
  smt2: ["(", '"'],
};
const USUAL_PAIRS: readonly string[] = ["(", "[", "{", '"'];

/** Returns the editor extensions that use the core's language service. */
export function languageExtensions(service: Service): Extension {
  return [
    autocompletion({
      defaultKeymap: false,
      override: [(context) => complete(service, context)],
      icons: false,
      maxRenderedOptions: 60,
      optionClass: ({ type }) => `of-${(type ?? "").replaceAll(" ", "-")}`,
    }),
    closeBrackets(),
    EditorState.languageData.of(() => [
      { closeBrackets: { brackets: PAIRS[service.file().split(".").pop() ?? ""] ?? USUAL_PAIRS } },
    ]),
    hoverTooltip((view, at) => hover(service, view, at), { hoverTime: 350 }),
    folding(service),
    panelField,
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null) return false;
        event.preventDefault();
        void goToDefinition(service, view, at);
        return true;
      },
    }),
    Prec.high(
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap.filter(({ key }) => key !== "Escape"),
        { key: "Escape", run: closeList },
        { key: "F12", run: (view) => start(goToDefinition(service, view, head(view))) },
        { key: "Shift-F12", run: (view) => start(showPlaces(service, view)) },
        { key: "F2", run: (view) => start(askForName(service, view)) },
        { key: "Mod-i", run: (view) => start(showHover(service, view)) },
        ...foldKeymap,
      ]),
    ),
    languageTheme,
  ];
}

/** Closes the list. If none is shown, the key passes through: Escape and then Tab leave the editor. */
function closeList(view: EditorView): boolean {
  const shown = completionStatus(view.state) === "active";
  closeCompletion(view);
  return shown;
}

function head(view: EditorView): number {
  return view.state.selection.main.head;
}

/** Starts an asynchronous command. Its failures are already reported. */
function start(done: Promise<void>): true {
  done.catch(() => {});
  return true;
}

// Completion.

async function complete(service: Service, context: CompletionContext): Promise<CompletionResult | null> {
  const begun = context.matchBefore(BEGUN);
  if (!context.explicit && begun === null) return null;
  const { from, items } = await service.complete(context.pos).catch(() => ({ from: 0, items: [] as LanguageItem[] }));
  if (context.aborted || items.length === 0) return null;
  return { from, options: items.map(option), validFor: STILL };
}

function option({ label, kind, detail, insert }: LanguageItem): Completion {
  return {
    label,
    type: kind,
    ...(detail !== undefined && { detail }),
    ...(insert !== undefined && insert !== "" && { apply: insert }),
    ...(kind === "keyword" && { boost: -1 }),
  };
}

// Hover cards.

async function hover(service: Service, view: EditorView, at: number): Promise<Tooltip | null> {
  const card = await service.hover(at).catch(() => null);
  if (card === null || card.to > view.state.doc.length) return null;
  return { pos: card.from, end: card.to, above: true, create: () => ({ dom: cardDOM(card) }) };
}

function cardDOM(card: LanguageCard): HTMLElement {
  const box = element("div", "card");
  const title = element("p", "card-title");
  title.append(element("code", "", card.name), element("span", "card-kind", card.kind));
  box.append(title);
  if (card.form !== undefined && card.form !== "") box.append(element("pre", "", card.form));
  for (const line of card.lines) box.append(element("p", "", line));
  if (card.word !== undefined && card.word.length > 0) {
    box.append(
      element(
        "p",
        "card-word",
        card.ofIt === true ? "A shortest word that it derives" : "A shortest word that contains it",
      ),
      element("pre", "", card.word.join(" ")),
    );
  }
  return box;
}

// Panels below the text: card, references, rename.

const panelEffect = StateEffect.define<((view: EditorView) => Panel) | null>();

const panelField = StateField.define<((view: EditorView) => Panel) | null>({
  create: () => null,
  update(panel, transaction) {
    for (const effect of transaction.effects) if (effect.is(panelEffect)) return effect.value;
    return transaction.docChanged ? null : panel;
  },
  provide: (field) => showPanel.from(field),
});

function open(view: EditorView, title: string, fill: (box: HTMLElement, close: () => void) => void): void {
  const close = (): void => {
    view.dispatch({ effects: panelEffect.of(null) });
    view.focus();
  };
  const make = (): Panel => {
    const dom = element("div", "language-panel");
    dom.setAttribute("role", "region");
    dom.setAttribute("aria-label", title);
    dom.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      close();
    });
    const closer = element("button", "panel-close", "×");
    closer.setAttribute("type", "button");
    closer.setAttribute("aria-label", "Close");
    closer.onclick = close;
    fill(dom, close);
    dom.append(closer);
    return { dom, mount: () => dom.querySelector<HTMLElement>("input, button, [tabindex]")?.focus() };
  };
  view.dispatch({ effects: panelEffect.of(make) });
}

async function showHover(service: Service, view: EditorView): Promise<void> {
  const card = await service.hover(head(view));
  open(view, "At the cursor", (box) =>
    box.append(card === null ? element("p", "", "No name at the cursor.") : cardDOM(card)),
  );
}

async function goToDefinition(service: Service, view: EditorView, at: number): Promise<void> {
  const found = await service.find(at);
  const place =
    found.places.find((p) => p.defines && !(p.from <= at && at <= p.to && p.file === service.file())) ??
    found.places.find((p) => p.defines) ??
    found.places[0];
  if (place !== undefined) service.show(place);
  else open(view, "Definition", (box) => box.append(element("p", "", "No name at the cursor.")));
}

async function showPlaces(service: Service, view: EditorView): Promise<void> {
  const { kind, name, places } = await service.find(head(view));
  open(view, "Places", (box, close) => {
    if (places.length === 0) return box.append(element("p", "", "No name at the cursor."));
    const title = element("p", "card-title");
    title.append(
      element("code", "", name),
      element("span", "card-kind", `${kind}, ${places.length} ${places.length === 1 ? "place" : "places"}`),
    );
    const list = element("ul", "places");
    for (const place of places)
      list.append(
        placeDOM(place, () => {
          close();
          service.show(place);
        }),
      );
    box.append(title, list);
  });
}

function placeDOM(place: LanguagePlace, go: () => void): HTMLElement {
  const item = element("li", "");
  const button = element("button", "place");
  button.setAttribute("type", "button");
  button.onclick = go;
  button.append(element("span", "place-where", `${place.file}:${place.line}`), element("code", "", place.text.trim()));
  if (place.defines) button.append(element("span", "card-kind", "defined here"));
  item.append(button);
  return item;
}

async function askForName(service: Service, view: EditorView): Promise<void> {
  const at = head(view);
  const { kind, name, places } = await service.find(at);
  open(view, "New name", (box, close) => {
    if (places.length === 0) return box.append(element("p", "", "No name at the cursor."));
    const form = element("form", "rename");
    const label = element("label", "");
    const input = document.createElement("input");
    input.className = "cm-textfield";
    input.value = name;
    input.spellcheck = false;
    label.append(element("span", "", `New name of the ${kind}`), input);
    const accept = element("button", "cm-button", places.length === 1 ? "Rename" : `Rename in ${places.length} places`);
    accept.setAttribute("type", "submit");
    const fault = element("p", "rename-fault");
    fault.setAttribute("role", "alert");
    form.append(label, accept, fault);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      service.rename(at, input.value).then(close, (reason: unknown) => {
        fault.textContent = sentence(reason instanceof Error ? reason.message : String(reason));
        input.focus();
      });
    });
    box.append(form);
    queueMicrotask(() => input.select());
  });
}

// Folds.

const foldsEffect = StateEffect.define<readonly LanguageFold[]>();

const foldsField = StateField.define<readonly LanguageFold[]>({
  create: () => [],
  update(folds, transaction) {
    for (const effect of transaction.effects) if (effect.is(foldsEffect)) return effect.value;
    if (!transaction.docChanged) return folds;
    return folds.map(({ from, to }) => ({
      from: transaction.changes.mapPos(from, -1),
      to: transaction.changes.mapPos(to, 1),
    }));
  },
});

function folding(service: Service): Extension {
  return [
    foldsField,
    ViewPlugin.define((view) => new FoldAsker(service, view)),
    foldService.of(
      (state: EditorState, start: number, end: number) =>
        state.field(foldsField).find((f) => start <= f.from && f.from <= end && f.to > end) ?? null,
    ),
    codeFolding({ placeholderText: "…" }),
    foldGutter({
      openText: "⌄",
      closedText: "›",
      foldingChanged: (update) => update.transactions.some((t) => t.effects.some((e) => e.is(foldsEffect))),
    }),
  ];
}

/** Requests the folds of a text once typing pauses. */
class FoldAsker {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly service: Service,
    private readonly view: EditorView,
  ) {
    void this.#ask();
  }

  update(update: ViewUpdate): void {
    if (!update.docChanged) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), FOLD_DELAY);
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { doc } = this.view.state;
    const folds = await this.service.folds(doc.toString()).catch(() => []);
    if (this.view.state.doc === doc) this.view.dispatch({ effects: foldsEffect.of(folds) });
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  text = "",
): HTMLElementTagNameMap[K] {
  const out = document.createElement(name);
  if (className !== "") out.className = className;
  if (text !== "") out.textContent = text;
  return out;
}

const languageTheme = EditorView.theme({
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    fontSize: "var(--size-code)",
    maxHeight: "14rem",
    minWidth: "12rem",
    maxWidth: "min(26rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    padding: "0.1875rem 0.625rem",
    lineHeight: "1.5",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-completionLabel": { color: "var(--text-terminal)" },
  ".of-keyword .cm-completionLabel": { color: "var(--text-keyword)" },
  ".of-nonterminal .cm-completionLabel, .of-state .cm-completionLabel, .of-question .cm-completionLabel": {
    color: "var(--text-nonterminal)",
    fontWeight: "600",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--ink)" },
  ".cm-completionDetail": {
    fontFamily: "var(--sans)",
    fontStyle: "normal",
    fontSize: "var(--size-small)",
    color: "var(--ink-soft)",
    marginLeft: "1rem",
  },
  ".card": { padding: "0.5rem 0.75rem", maxWidth: "32rem" },
  ".card p, .language-panel p": { margin: "0.125rem 0", overflowWrap: "anywhere" },
  ".card pre": {
    margin: "0.25rem 0",
    padding: "0.25rem 0.5rem",
    borderRadius: "var(--radius-small)",
    backgroundColor: "var(--sunken)",
    fontFamily: "var(--mono)",
    fontSize: "var(--size-code)",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
  ".card-title": { display: "flex", gap: "0.5rem", alignItems: "baseline" },
  ".card-title code": { fontFamily: "var(--mono)", fontWeight: "600" },
  ".card-kind, .card-word, .place-where": { color: "var(--ink-soft)", fontSize: "var(--size-small)" },
  ".language-panel": {
    position: "relative",
    padding: "0.5rem 2.5rem 0.5rem 0.75rem",
    maxHeight: "14rem",
    overflow: "auto",
  },
  ".language-panel .card": { padding: "0" },
  ".panel-close": {
    position: "absolute",
    top: "0.25rem",
    right: "0.25rem",
    width: "1.75rem",
    height: "1.75rem",
    font: "inherit",
    fontSize: "1.25rem",
    lineHeight: "1",
    color: "var(--ink-soft)",
    background: "none",
    border: "none",
    cursor: "pointer",
  },
  ".places": { listStyle: "none", margin: "0.25rem 0 0", padding: "0" },
  ".place": {
    display: "flex",
    gap: "0.75rem",
    alignItems: "baseline",
    width: "100%",
    padding: "0.25rem",
    font: "inherit",
    textAlign: "left",
    color: "var(--ink)",
    background: "none",
    border: "none",
    borderRadius: "var(--radius-small)",
    cursor: "pointer",
  },
  ".place:hover": { backgroundColor: "var(--accent-soft)" },
  ".place code": {
    fontFamily: "var(--mono)",
    fontSize: "var(--size-code)",
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  ".place-where": { flex: "none", minWidth: "7rem" },
  ".rename": { display: "flex", flexWrap: "wrap", gap: "0.5rem", alignItems: "end" },
  ".rename label": { display: "grid", gap: "0.125rem", fontSize: "var(--size-small)", color: "var(--ink-soft)" },
  ".rename-fault": { flexBasis: "100%", color: "var(--bad)" },
  ".rename-fault:empty": { display: "none" },
  ".cm-foldGutter .cm-gutterElement": {
    color: "var(--ink-faint)",
    cursor: "pointer",
    width: "0.875rem",
    textAlign: "center",
  },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-small)",
    color: "var(--ink-soft)",
    margin: "0 0.25rem",
    padding: "0 0.375rem",
  },
});
