import type { Agent } from "@strands-agents/sdk";
import type { Session } from "../index.js";
import type { AdapterOptions } from "./judge.js";

/** Judges each tool call of an agent, after all other hooks. It returns the agent. */
export function guardAgent<A extends Agent>(session: Session, agent: A, options?: AdapterOptions): A;
