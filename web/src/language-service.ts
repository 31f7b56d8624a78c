import type { CoreClient } from "./core-client.js";
import type { Place } from "./state.js";
import type { Store } from "./store.js";
import type { LanguageCard, LanguageCompleteResult, LanguageFindResult, LanguageFold, LanguagePlace } from "./wire.js";

/** What the editor asks of the core about the file that is open. Places are UTF-16 code units. */
export interface Service {
  file(): string;
  complete(at: number): Promise<LanguageCompleteResult>;
  hover(at: number): Promise<LanguageCard | null>;
  find(at: number): Promise<LanguageFindResult>;
  folds(text: string): Promise<readonly LanguageFold[]>;
  /** Renames what is named at a place, in all files of the workspace. Why not is in the error. */
  rename(at: number, to: string): Promise<void>;
  show(place: LanguagePlace): void;
}

export function languageService(store: Store, core: CoreClient, show: (place: Omit<Place, "count">) => void): Service {
  const here = (at: number): { files: { name: string; text: string }[]; name: string; at: number } => ({ files: [...store.state.files], name: store.state.current, at });
  return {
    file: () => store.state.current,
    complete: (at) => core.call("language.complete", here(at)),
    hover: async (at) => (await core.call("language.hover", here(at))).card,
    find: (at) => core.call("language.find", here(at)),
    folds: async (text) => (await core.call("language.folds", { name: store.state.current, text })).folds,
    async rename(at, to) {
      const { revision } = store.state;
      const { changes } = await core.call("language.rename", { ...here(at), to });
      if (store.state.revision !== revision) throw new Error("the text was changed meanwhile; try again");
      for (const { file, edits } of changes) {
        const text = store.state.files.find((f) => f.name === file)?.text ?? "";
        store.editedText(file, edited(text, edits));
      }
    },
    show: ({ file, from, to }) => show({ name: file, from, to }),
  };
}

/** The text with edits made, which do not overlap and stand in order. */
function edited(text: string, edits: readonly { readonly from: number; readonly to: number; readonly text: string }[]): string {
  let out = "";
  let done = 0;
  for (const edit of edits) {
    out += text.slice(done, edit.from) + edit.text;
    done = edit.to;
  }
  return out + text.slice(done);
}
