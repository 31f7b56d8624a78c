import type { Session } from "../index.js";

export { finish } from "./judge.js";

type Hook = (input: any) => Promise<Record<string, unknown>>;
type Matcher = { hooks: Hook[] }[];

/**
 * Returns the hooks of a query: query({ prompt, options: { hooks: guardHooks(session) } }). prefix is removed from
 * the names of tools before they are judged, for example mcp__shop__, which the spec omits.
 */
export function guardHooks(session: Session, options?: { readonly prefix?: string }): {
  UserPromptSubmit: Matcher; PreToolUse: Matcher; PostToolUse: Matcher; PostToolUseFailure: Matcher; PermissionDenied: Matcher; Stop: Matcher;
};
