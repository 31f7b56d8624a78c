import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, type StateEffect } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { css, html, LitElement, type PropertyValues } from "lit";
import { analysisExtensions, applyFix, difference, showAnalysis, showProblems } from "./editor-extensions.js";
import type { EditorKeys } from "./editor-keys.js";
import { editorTheme } from "./editor-theme.js";
import { whenIdle } from "../ui/when-idle.js";
import type { Service } from "./language-service.js";
import type { Analysis, Place } from "../store/state.js";
import type { Edit } from "../core/wire.js";
import { prop } from "../ui/light-element.js";

/** The detail of the event that a person edited a file. */
export interface TextEdited {
  readonly name: string;
  readonly text: string;
}

/**
 * Inserts text that is typed over a selection. The browser would copy the selection's look into a
 * style attribute, which the content security policy forbids.
 */
const replaceByHand = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (
      event.inputType !== "insertText" ||
      event.data === null ||
      !event.cancelable ||
      view.composing ||
      view.state.selection.main.empty
    )
      return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/**
 * The editor. It renders into a shadow root, because only there CodeMirror uses a style sheet object
 * that a strict content security policy allows.
 */
export class StileEditor extends LitElement {
  static override styles = css`
    :host {
      display: block;
      min-height: 0;
      overflow: hidden;
      background: var(--panel);
    }
    .cm-editor {
      height: 100%;
    }
    .cm-editor.cm-focused {
      outline: none;
    }
  `;
  @prop name = "";
  @prop text = "";
  /** A number that changes when another workspace is opened. */
  @prop generation = 0;
  @prop revision = 0;
  @prop analysis: Analysis | null = null;
  @prop reveal: Place | null = null;
  @prop wrap = false;
  /** The core's language service, which is not used before the editor is. */
  @prop service: Service | null = null;
  /** Whether the text can be read and copied, but not changed. */
  @prop readOnly = false;
  @prop keys: EditorKeys = "usual";

  #view: EditorView | undefined;
  #states = new Map<string, EditorState>();
  /** The scroll positions of the other files. */
  #scrolled = new Map<string, StateEffect<unknown>>();
  #wrapping = new Compartment();
  /** The optional key bindings, with the highest precedence. */
  #keymap = new Compartment();
  #otherKeys: Extension = [];
  /** Extensions loaded later: search when the page is idle, language features when the editor is used. */
  #deferred = new Compartment();
  #extras: Extension = [];
  #fetched = new Set<"search" | "language">();
  #shown: { name: string; generation: number; text: string } = { name: "", generation: -1, text: "" };
  #revealed = 0;
  #restoring = false;

  override focus(): void {
    this.#view?.focus();
  }

  /** Applies the edits of a fix at their current places. */
  fix(edits: readonly Edit[]): void {
    if (this.#view !== undefined) applyFix(this.#view, edits);
    this.focus();
  }

  protected override render(): unknown {
    return html``;
  }

  protected override firstUpdated(): void {
    this.#view = new EditorView({
      state: this.#fresh(),
      parent: this.renderRoot as ShadowRoot,
      root: this.renderRoot as ShadowRoot,
    });
    this.#shown = { name: this.name, generation: this.generation, text: this.text };
  }

  protected override updated(changed: PropertyValues<this>): void {
    const view = this.#view;
    if (view === undefined) return;
    this.#restoring = true;
    const { name, generation } = this.#shown;
    if (generation !== this.generation) {
      this.#states.clear();
      this.#scrolled.clear();
    }
    if (generation !== this.generation || name !== this.name) {
      if (generation === this.generation) {
        this.#states.set(name, view.state);
        this.#scrolled.set(name, view.scrollSnapshot());
      }
      view.setState(this.#states.get(this.name) ?? this.#fresh());
      const scrolled = this.#scrolled.get(this.name);
      if (scrolled === undefined) view.scrollDOM.scrollTo(0, 0);
      else view.dispatch({ effects: scrolled });
      this.#shown = { name: this.name, generation: this.generation, text: view.state.doc.toString() };
    }
    if (this.text !== this.#shown.text) {
      view.dispatch({ changes: difference(this.#shown.text, this.text), userEvent: "input.external" });
      this.#shown.text = this.text;
    }
    if (changed.has("wrap"))
      view.dispatch({ effects: this.#wrapping.reconfigure(this.wrap ? EditorView.lineWrapping : []) });
    if (changed.has("keys") && (this.keys !== "usual" || changed.get("keys") !== undefined)) void this.#takeKeys();
    if (this.#keymap.get(view.state) !== this.#otherKeys)
      view.dispatch({ effects: this.#keymap.reconfigure(this.#otherKeys) });
    if (this.#deferred.get(view.state) !== this.#extras)
      view.dispatch({ effects: this.#deferred.reconfigure(this.#extras) });
    if (changed.has("analysis")) {
      this.#showAnalysis(view);
      if (this.analysis !== null) whenIdle(() => this.#fetch("search"));
    }
    this.#restoring = false;
    if (this.reveal !== null && this.reveal.count !== this.#revealed && this.reveal.name === this.name) {
      this.#revealed = this.reveal.count;
      this.#goTo(this.reveal.from, this.reveal.to);
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = undefined;
  }

  /** Loads a part of the editor, once. On failure the rest still works. */
  #fetch(part: "search" | "language"): void {
    const { service } = this;
    if (this.#fetched.has(part) || (part === "language" && service === null)) return;
    this.#fetched.add(part);
    const extensions =
      part === "search"
        ? import("./editor-search.js").then(({ searchExtensions }) => searchExtensions)
        : import("./editor-language.js").then(({ languageExtensions }) =>
            service === null ? [] : languageExtensions(service),
          );
    extensions.then(
      (more) => {
        this.#extras = [this.#extras, more];
        this.#view?.dispatch({ effects: this.#deferred.reconfigure(this.#extras) });
      },
      () => this.#fetched.delete(part), // the next use tries again
    );
  }

  /** Loads the chosen key bindings; keeps the current ones on failure. */
  async #takeKeys(): Promise<void> {
    const { keys } = this;
    try {
      const taken =
        keys === "usual" ? [] : await import("./editor-vim-emacs.js").then(({ otherKeys }) => otherKeys(keys));
      if (keys !== this.keys) return;
      this.#otherKeys = taken;
      this.#view?.dispatch({ effects: this.#keymap.reconfigure(taken) });
    } catch {
      this.#notify("keys-missing", null);
    }
  }

  #showAnalysis(view: EditorView): void {
    const { analysis } = this;
    if (analysis === null) view.dispatch(showProblems(view.state, [], () => {})); // the problems belong to another text
    if (analysis === null || analysis.name !== this.name || analysis.revision !== this.revision) return;
    view.dispatch(...showAnalysis(view.state, analysis.result, (from, to) => this.#goTo(from, to)));
  }

  #goTo(from: number, to: number): void {
    const view = this.#view;
    if (view === undefined) return;
    const { length } = view.state.doc;
    const anchor = Math.min(from, length);
    view.dispatch({
      selection: { anchor, head: Math.min(Math.max(to, from), length) },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      userEvent: "select.reveal",
    });
    view.focus();
  }

  #fresh(): EditorState {
    return EditorState.create({ doc: this.text, extensions: this.#extensions(this.name) });
  }

  #extensions(name: string): Extension {
    return [
      this.#keymap.of(this.#otherKeys),
      lineNumbers(),
      lintGutter(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      EditorState.tabSize.of(2),
      indentUnit.of("  "),
      bracketMatching({ brackets: "()" }),
      rectangularSelection(),
      highlightActiveLine(),
      analysisExtensions,
      this.readOnly ? EditorState.readOnly.of(true) : replaceByHand,
      keymap.of([
        { key: "Shift-Alt-f", run: () => this.#notify("format-request", null) },
        ...defaultKeymap,
        ...historyKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      this.#wrapping.of(this.wrap ? EditorView.lineWrapping : []),
      this.#deferred.of(this.#extras),
      editorTheme,
      EditorView.contentAttributes.of({
        "aria-label": `Text of ${name}`,
        "aria-description": "The Tab key indents. Press Escape and then Tab to leave the editor.",
        tabindex: "0",
        spellcheck: "false",
        autocorrect: "off",
        autocapitalize: "off",
      }),
      EditorView.updateListener.of((update) => {
        if (this.#restoring) return;
        if (update.docChanged) {
          this.#shown.text = update.state.doc.toString();
          this.#notify<TextEdited>("text-edited", { name: this.#shown.name, text: this.#shown.text });
        }
        if (update.docChanged || (update.focusChanged && update.view.hasFocus)) {
          this.#fetch("search");
          this.#fetch("language");
        }
        if (update.selectionSet || update.docChanged) this.#notify("cursor-moved", update.state.selection.main.head);
      }),
    ];
  }

  #notify<T>(type: string, detail: T): true {
    this.dispatchEvent(new CustomEvent<T>(type, { detail }));
    return true;
  }
}

customElements.define("stile-editor", StileEditor);
