// Adapter for the AI SDK of Vercel (ai): tools whose execute is judged.

import { judge, settle } from "./judge.js";

export { begin, finish } from "./judge.js";

/** Thrown instead of a call that is refused. The SDK sends the message to the model. */
export class RefusedCall extends Error {
  name = "RefusedCall";
}

/** Returns the tools with a guard: generateText({ ..., tools: guardTools(session, tools) }). */
export function guardTools(session, tools, options = {}) {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => {
    if (typeof tool.execute !== "function") throw new TypeError("the tool " + JSON.stringify(name) + " has no execute, so that no guard can refuse its calls");
    return [name, {
      ...tool,
      // A generator also supports tools that yield preliminary results before the final one.
      execute: async function* (input, context) {
        const call = { name, id: context.toolCallId, arguments: input };
        const reason = await judge(session, call, options);
        if (reason !== "") throw new RefusedCall(reason);
        let last;
        try {
          const output = tool.execute.call(tool, input, context);
          if (typeof output?.[Symbol.asyncIterator] === "function") for await (last of output) yield last;
          else yield last = await output;
        } catch (error) {
          settle(session, call, String(error), true);
          throw error;
        }
        settle(session, call, last);
      },
    }];
  }));
}
