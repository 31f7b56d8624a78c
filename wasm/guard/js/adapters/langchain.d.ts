import type { AgentMiddleware } from "langchain";
import type { Session } from "../index.js";
import type { AdapterOptions } from "./judge.js";

export { begin, finish } from "./judge.js";

/** Returns middleware that judges each tool call: createAgent({ ..., middleware: [guardMiddleware(session)] }). */
export function guardMiddleware(session: Session, options?: AdapterOptions): AgentMiddleware;
