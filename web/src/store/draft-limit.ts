import { overLimit } from "./drafts.js";
import type { Playground } from "./playground.js";
import { saveText } from "../share/save-file.js";
import * as storage from "./storage.js";
import { count, sentence } from "../ui/text.js";

/**
 * Asks a person about the oldest earlier drafts beyond the device's limit: download or delete. Nothing
 * is removed before the answer.
 */
export function askForRoom(playground: Playground): void {
  const { store } = playground;
  const over = overLimit(store.state.drafts);
  const [oldest] = over;
  if (oldest === undefined) return;
  const remove = async (): Promise<void> => {
    const kept = await storage.removeDraft(oldest.savedAt);
    if (kept !== "yes") playground.toast(`“${oldest.title}” could not be removed: ${storage.unsaved[kept]}.`, "bad");
    store.draftsArrived(store.state.drafts.filter((d) => d.savedAt !== oldest.savedAt));
    store.showedBanner(null);
    askForRoom(playground);
  };
  const save = async (): Promise<void> => {
    try {
      saveText(
        `${oldest.title.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase()}.txtar`,
        await playground.archive(oldest.files),
      );
      await remove();
    } catch (reason) {
      playground.toast(sentence(reason instanceof Error ? reason.message : String(reason)), "bad");
    }
  };
  store.showedBanner({
    tone: "plain",
    text: `Earlier drafts take more than 50 MB. ${count(over.length, "draft")} must be removed, first “${oldest.title}” of ${new Date(oldest.savedAt).toLocaleString()}.`,
    actions: [
      { label: "Save it as a file, then remove it", act: () => void save() },
      { label: "Remove it", act: () => void remove() },
    ],
  });
}
