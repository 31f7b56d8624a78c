import type { CoreClient } from "../core/core-client.js";
import type { Place, Run } from "../store/state.js";
import type { Store } from "../store/store.js";
import type {
  LanguageCard,
  LanguageCompleteResult,
  LanguageFindResult,
  LanguageFold,
  LanguagePlace,
} from "../core/wire.js";

/** The number of the last run's events from which rules are completed. */
const SEEN = 200;

/** The editor's requests to the core about the open file. Places are UTF-16 code units. */
export interface Service {
  file(): string;
  complete(at: number): Promise<LanguageCompleteResult>;
  hover(at: number): Promise<LanguageCard | null>;
  find(at: number): Promise<LanguageFindResult>;
  folds(text: string): Promise<readonly LanguageFold[]>;
  /** Renames a symbol in all files of the workspace. The error states why that failed. */
  rename(at: number, to: string): Promise<void>;
  show(place: LanguagePlace): void;
}

export function languageService(store: Store, core: CoreClient, show: (place: Omit<Place, "count">) => void): Service {
  const here = (at: number): { files: { name: string; text: string }[]; name: string; at: number } => ({
    files: [...store.state.files],
    name: store.state.current,
    at,
  });
  return {
    file: () => store.state.current,
    complete: (at) => {
      const run = runEvents(store.state.run, SEEN).join("\n");
      return core.call("language.complete", { ...here(at), ...(run !== "" && { run }) });
    },
    hover: async (at) => (await core.call("language.hover", here(at))).card,
    find: (at) => core.call("language.find", here(at)),
    folds: async (text) => (await core.call("language.folds", { name: store.state.current, text })).folds,
    async rename(at, to) {
      const { revision } = store.state;
      const { changes } = await core.call("language.rename", { ...here(at), to });
      if (store.state.revision !== revision) throw new Error("the text changed during the request; try again");
      for (const { file, edits } of changes) {
        const text = store.state.files.find((f) => f.name === file)?.text ?? "";
        store.editedText(file, edited(text, edits));
      }
    },
    show: ({ file, from, to }) => show({ name: file, from, to }),
  };
}

/** Returns the last events of a run that rules judged, each in JSON. Denied calls are not part of it. */
export function runEvents(run: Run | null, most = Infinity): readonly string[] {
  const judged = (run?.events ?? []).flatMap((raw) => {
    const event = raw as { readonly kind: string; readonly denied?: boolean; readonly event?: unknown };
    return event.kind === "rules.event" && event.denied !== true ? [event.event] : [];
  });
  return judged.slice(-most).map((event) => JSON.stringify(event));
}

/** Returns the text with edits applied. They are in order and do not overlap. */
export function edited(
  text: string,
  edits: readonly { readonly from: number; readonly to: number; readonly text: string }[],
): string {
  let out = "";
  let done = 0;
  for (const edit of edits) {
    out += text.slice(done, edit.from) + edit.text;
    done = edit.to;
  }
  return out + text.slice(done);
}
