// Search and replace in the editor. It is loaded when the page is idle.
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export const searchExtensions: Extension = [
  highlightSelectionMatches(),
  search({ top: true }),
  keymap.of(searchKeymap),
];
