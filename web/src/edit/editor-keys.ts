/** Key bindings of the editor. */
export type EditorKeys = "usual" | "vim" | "emacs";

export const editorKeys: readonly (readonly [EditorKeys, string])[] = [
  ["usual", "Default"],
  ["vim", "Vim"],
  ["emacs", "Emacs"],
];

/** Returns the key bindings with a name; the default bindings for an unknown name. */
export function editorKeysOf(text: string | null): EditorKeys {
  return text === "vim" || text === "emacs" ? text : "usual";
}
