import { messageOf } from "../store/faults.js";
import type { Playground } from "../store/playground.js";
import type { NewTest } from "./request-test.js";

/** The maximum number of attempts to add a case while the texts change. */
const MAX_TRIES = 3;

/** Adds a case, with its current verdict, to the tests of its spec. */
export async function addTest(playground: Playground, test: NewTest): Promise<void> {
  const { core, store } = playground;
  try {
    for (let i = 0; i < MAX_TRIES; i++) {
      const { files } = store.state;
      const { file, expect, added, line } = await core.call("tests.add", { files: [...files], ...test });
      if (store.state.files !== files) continue;
      if (added) store.keptFiles([file]);
      const place = `${file.name}, line ${line}`;
      playground.toast(added ? `Added to ${place}: ${expect}.` : `This case is already in ${place}.`);
      return;
    }
    playground.toast("Not added: the text is changing; try again.", "bad");
  } catch (reason) {
    playground.toast(`Not added: ${messageOf(reason)}.`, "bad");
  }
}
