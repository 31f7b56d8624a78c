// Vim and Emacs key bindings. Each is loaded when a person chooses it.
import type { Extension } from "@codemirror/state";
import { ViewPlugin } from "@codemirror/view";
import type { EditorKeys } from "./editor-keys.js";

/** Milliseconds after Escape in which Tab leaves the editor; the same as with the default bindings. */
const LEAVING = 2_000;

/** Escape and then Tab leaves the editor. The other bindings consume Escape, so this listens before them. */
const leaving = ViewPlugin.define((view) => {
  let escaped = -LEAVING;
  const hear = (event: KeyboardEvent): void => {
    if (event.key === "Escape") escaped = event.timeStamp;
    else if (event.key === "Tab" && event.timeStamp - escaped < LEAVING)
      event.stopImmediatePropagation(); // the browser moves the focus
    else if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) escaped = -LEAVING;
  };
  view.dom.addEventListener("keydown", hear, true);
  return { destroy: () => view.dom.removeEventListener("keydown", hear, true) };
});

/** The input of Vim's commands has no accessible name. */
const named = ViewPlugin.define((view) => {
  const name = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLInputElement && target.closest(".cm-vim-panel") !== null)
      target.setAttribute("aria-label", "Vim command");
  };
  view.dom.addEventListener("focusin", name);
  return { destroy: () => view.dom.removeEventListener("focusin", name) };
});

export async function otherKeys(keys: EditorKeys): Promise<Extension> {
  if (keys === "vim") return [(await import("@replit/codemirror-vim")).vim({ status: true }), leaving, named];
  if (keys === "emacs") return [(await import("@replit/codemirror-emacs")).emacs(), leaving];
  return [];
}
