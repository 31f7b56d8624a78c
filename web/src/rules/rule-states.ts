/** The states of a rule after an event, by the letters of "rules.trace". */
export const ruleStates: Readonly<
  Record<string, { readonly sign: string; readonly text: string; readonly tone: string }>
> = {
  u: { sign: "·", text: "untriggered", tone: "quiet" },
  h: { sign: "–", text: "holds", tone: "quiet" },
  H: { sign: "✓", text: "triggered here, holds", tone: "good" },
  p: { sign: "…", text: "pending: violated if the run ended here", tone: "live" },
  v: { sign: "✕", text: "violated earlier", tone: "before" },
  V: { sign: "✕", text: "violated here", tone: "bad" },
  f: { sign: "!", text: "fault: not judged", tone: "bad" },
};

/** Returns the state of a letter. */
export function stateOf(letter: string | undefined): {
  readonly sign: string;
  readonly text: string;
  readonly tone: string;
} {
  return ruleStates[letter ?? ""] ?? { sign: "", text: "not judged yet", tone: "quiet" };
}
