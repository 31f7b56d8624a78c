import type { Agent } from "@strands-agents/sdk";
import type { Session } from "../index.js";
import type { AdapterOptions } from "./judge.js";

export { begin, finish } from "./judge.js";

/** Makes a session judge each tool call of an agent, after all other hooks. Returns the agent. */
export function guardAgent<A extends Agent>(session: Session, agent: A, options?: AdapterOptions): A;
