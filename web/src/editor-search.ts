// Finding and replacing in the editor. It comes when the page has nothing better to
// do, for nobody finds anything before there is something to read.
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export const searchExtensions: Extension = [highlightSelectionMatches(), search({ top: true }), keymap.of(searchKeymap)];
