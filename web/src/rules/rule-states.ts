import { iconCheck, iconClose } from "../ui/icons.js";

/** A state of a rule, as it is shown. */
export interface RuleState {
  /** An icon: not every font has check marks. */
  readonly sign: unknown;
  readonly text: string;
  readonly tone: string;
}

/** The states of a rule after an event, by the letters of "rules.trace". */
const ruleStates: Readonly<Record<string, RuleState>> = {
  u: { sign: "·", text: "untriggered", tone: "quiet" },
  h: { sign: "–", text: "holds", tone: "quiet" },
  H: { sign: iconCheck, text: "triggered here, holds", tone: "good" },
  p: { sign: "…", text: "pending: violated if the run ended here", tone: "live" },
  v: { sign: iconClose, text: "violated earlier", tone: "before" },
  V: { sign: iconClose, text: "violated here", tone: "bad" },
  f: { sign: "!", text: "fault: not judged", tone: "bad" },
};

/** Returns the state that a letter represents. */
export function stateOf(letter: string | undefined): RuleState {
  return ruleStates[letter ?? ""] ?? { sign: "", text: "not judged yet", tone: "quiet" };
}
