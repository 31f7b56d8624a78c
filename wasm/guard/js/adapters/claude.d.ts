import type { Session } from "../index.js";

type Hook = (input: any) => Promise<Record<string, unknown>>;
type Matcher = { hooks: Hook[] }[];

/**
 * The hooks of a query: query({ prompt, options: { hooks: guardHooks(session) } }). prefix is a text before the
 * names of tools that the spec omits, such as mcp__shop__.
 */
export function guardHooks(session: Session, options?: { readonly prefix?: string }): {
  PreToolUse: Matcher; PostToolUse: Matcher; PostToolUseFailure: Matcher; PermissionDenied: Matcher; Stop: Matcher;
};
