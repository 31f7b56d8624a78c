import type { Fault } from "./core-protocol.js";
import type { State } from "./state.js";
import type { Drawing } from "./wire.js";

/** The drawing of the open file, and whether it is that of the text as it is now. */
export interface Picture {
  readonly drawing: Drawing | null;
  /** It is of an earlier text of the file. */
  readonly old: boolean;
  /** What a person has to know of that. */
  readonly note: string;
  /** The text has errors, or could not be read. */
  readonly broken: boolean;
  /** What was stepped through and marked is of an earlier text. */
  readonly stale: boolean;
  /** Why nothing can be stepped through. */
  readonly fault: Fault | null;
}

export function pictureOf({ analysis, analysisFault, core, picture, revision, walk, walkFault, word }: State): Picture {
  const result = analysis?.result;
  const errors = result?.diagnostics.some((d) => d.severity === "error") === true;
  const lost = analysisFault !== null || core.status === "failed";
  const old = lost || (analysis === null ? revision > 0 : analysis.revision !== revision || (result?.drawing ?? null) !== picture);
  return {
    drawing: picture, old, broken: errors || analysisFault !== null,
    note: picture === null ? "" : lost ? "Drawing of an earlier text" : errors && old ? "Drawing of the last text without errors" : "",
    stale: old || (walk !== null && (walk.revision !== revision || walk.word !== word)),
    fault: analysisFault ?? (errors ? null : walkFault),
  };
}
