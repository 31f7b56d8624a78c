// The layout worker. It loads Graphviz with the first request.
import type { LayoutReply, LayoutRequest } from "./layout-protocol.js";

interface Engine {
  render(
    dot: string,
    options: { format: string },
  ): { status: string; output?: string; errors: readonly { message: string }[] };
}

let engine: Promise<Engine> | undefined;

async function load(address: string): Promise<Engine> {
  const { instance } = (await import(address)) as { instance(): Promise<Engine> };
  return instance();
}

self.addEventListener("message", (event: MessageEvent<LayoutRequest>) => void answer(event.data));

async function answer({ id, viz, dot }: LayoutRequest): Promise<void> {
  self.postMessage({ id, stage: "arrived" } satisfies LayoutReply);
  let reply: LayoutReply;
  try {
    engine ??= load(viz);
    const loaded = await engine;
    self.postMessage({ id, stage: "loaded" } satisfies LayoutReply);
    const { output, errors } = loaded.render(dot, { format: "json0" });
    reply =
      output === undefined
        ? { id, error: errors.map((e) => e.message).join("; ") || "no layout" }
        : { id, layout: JSON.parse(output) as NonNullable<LayoutReply["layout"]> };
  } catch (reason) {
    engine = undefined;
    reply = { id, error: reason instanceof Error ? reason.message : String(reason) };
  }
  self.postMessage(reply);
}
