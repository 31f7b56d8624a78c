// Editor extensions that depend on the core: colours from its tokens, problems from its
// diagnostics. Both follow edits between two analyses.
import {
  ChangeSet,
  type ChangeDesc,
  type EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
  type TransactionSpec,
} from "@codemirror/state";
import { setDiagnostics, type Diagnostic as LintDiagnostic } from "@codemirror/lint";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Diagnostic, DocumentAnalyzeResult, Edit, Token } from "../core/wire.js";

const analysedEffect = StateEffect.define<readonly Token[]>();

/** Colours, moved with edits. */
const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(analysedEffect)) return decorate(effect.value, transaction.newDoc.length);
    }
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Changes since the last analysis, so that a late fix still applies at the right place. */
const changesSince = StateField.define<ChangeDesc>({
  create: (state) => ChangeSet.empty(state.doc.length).desc,
  update(changes, transaction) {
    if (transaction.effects.some((e) => e.is(analysedEffect))) return ChangeSet.empty(transaction.newDoc.length).desc;
    return transaction.docChanged ? changes.composeDesc(transaction.changes.desc) : changes;
  },
});

export const analysisExtensions: Extension = [colours, changesSince];

const marks = new Map<string, Decoration>();

function markOf(name: string): Decoration {
  let mark = marks.get(name);
  if (mark === undefined) {
    mark = Decoration.mark({ class: `t-${name}` });
    marks.set(name, mark);
  }
  return mark;
}

function decorate(tokens: readonly Token[], length: number): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let done = 0;
  for (const { from, to, class: name } of tokens) {
    if (from < done || to > length || from >= to) continue;
    builder.add(from, to, markOf(name));
    done = to;
  }
  return builder.finish();
}

/** Returns the transaction that shows an analysis of exactly the text in the state. */
export function showAnalysis(
  state: EditorState,
  result: DocumentAnalyzeResult,
  goTo: (from: number, to: number) => void,
): TransactionSpec[] {
  return [{ effects: analysedEffect.of(result.tokens) }, showProblems(state, result.diagnostics, goTo)];
}

/** Returns the transaction that replaces the shown problems. */
export function showProblems(
  state: EditorState,
  diagnostics: readonly Diagnostic[],
  goTo: (from: number, to: number) => void,
): TransactionSpec {
  return setDiagnostics(
    state,
    diagnostics.map((d) => lintDiagnostic(d, state.doc, goTo)),
  );
}

function lintDiagnostic(d: Diagnostic, doc: Text, goTo: (from: number, to: number) => void): LintDiagnostic {
  const from = Math.min(d.from, doc.length);
  return {
    from,
    to: Math.min(Math.max(d.to, from), doc.length),
    severity: d.severity === "error" || d.severity === "warning" ? d.severity : "info",
    source: d.code,
    // A verdict is not a fault, so its place is not underlined.
    ...(d.code === "ltl.holds" && { markClass: "cm-proven" }),
    message: d.message,
    renderMessage: () => message(d, goTo),
    actions: (d.fixes ?? []).map((fix) => ({
      name: fix.title,
      apply: (view: EditorView) => applyFix(view, fix.edits),
    })),
  };
}

/** Renders a diagnostic with its notes; a note is a button that links to its place. */
function message(d: Diagnostic, goTo: (from: number, to: number) => void): HTMLElement {
  const box = document.createElement("div");
  box.textContent = d.message;
  for (const note of d.notes ?? []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "note";
    button.textContent = `line ${note.line}: ${note.message}`;
    button.onclick = () => goTo(note.from, note.to);
    box.append(button);
  }
  return box;
}

/** Applies a fix at the current places of its edits. */
export function applyFix(view: EditorView, edits: readonly Edit[]): void {
  const since = view.state.field(changesSince);
  if (edits.some((e) => e.to > since.length)) return;
  view.dispatch({
    changes: edits.map((e) => {
      const from = since.mapPos(e.from, 1);
      return { from, to: Math.max(from, since.mapPos(e.to, -1)), insert: e.text };
    }),
    userEvent: "input.fix",
    scrollIntoView: true,
  });
}

/** Returns the smallest single change between two texts, so that the cursor stays. */
export function difference(from: string, to: string): { from: number; to: number; insert: string } {
  let start = 0;
  const shorter = Math.min(from.length, to.length);
  while (start < shorter && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)) end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}
