import type { Fault } from "../core/core-protocol.js";
import type { State } from "../store/state.js";
import type { Drawing } from "../core/wire.js";

/** The drawing of the open file, and whether it shows the current text. */
export interface Picture {
  readonly drawing: Drawing | null;
  /** Whether the drawing shows an earlier text of the file. */
  readonly old: boolean;
  /** The remark on an old drawing. */
  readonly note: string;
  /** Whether the text has errors, or could not be read. */
  readonly broken: boolean;
  /** Whether the steps and marks belong to an earlier text. */
  readonly stale: boolean;
  /** The reason why stepping is not possible. */
  readonly fault: Fault | null;
}

export function pictureOf({ analysis, analysisFault, core, picture, revision, walk, walkFault, word }: State): Picture {
  const result = analysis?.result;
  const errors = result?.diagnostics.some((d) => d.severity === "error") === true;
  const lost = analysisFault !== null || core.status === "failed";
  const old =
    lost ||
    (analysis === null ? revision > 0 : analysis.revision !== revision || (result?.drawing ?? null) !== picture);
  return {
    drawing: picture,
    old,
    broken: errors || analysisFault !== null,
    note:
      picture === null
        ? ""
        : lost
          ? "Drawing of an earlier text"
          : errors && old
            ? "Drawing of the last text without errors"
            : "",
    stale: old || (walk !== null && (walk.revision !== revision || walk.word !== word)),
    fault: analysisFault ?? (errors ? null : walkFault),
  };
}
