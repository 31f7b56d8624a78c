/** Keys that the editor may have. */
export type EditorKeys = "usual" | "vim" | "emacs";

export const editorKeys: readonly (readonly [EditorKeys, string])[] = [["usual", "The usual ones"], ["vim", "Vim"], ["emacs", "Emacs"]];

/** The choice that a text names; the usual keys where it names none. */
export function editorKeysOf(text: string | null): EditorKeys {
  return text === "vim" || text === "emacs" ? text : "usual";
}
