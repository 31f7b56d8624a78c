import type { Session } from "../index.js";
import type { AdapterOptions } from "./judge.js";

export { begin, finish } from "./judge.js";

/** Thrown instead of a call that is refused. The SDK sends the message to the model. */
export class RefusedCall extends Error {}

/** Returns the tools with a guard. Throws if a tool has no `execute`, because no guard can refuse its calls. */
export function guardTools<Tools extends object>(session: Session, tools: Tools, options?: AdapterOptions): Tools;
