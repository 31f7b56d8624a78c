import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The behaviours of an endpoint. */
export const faults = [
  "good",
  "busy",
  "broken",
  "cut",
  "malformed",
  "slow",
  "refusing",
  "mistyped",
  "telling",
  "quoting",
] as const;
export type Fault = (typeof faults)[number];

/** The wire formats, with the path of each under the endpoint's address. */
export const formats = ["openai", "anthropic", "ollama"] as const;
export type Format = (typeof formats)[number];

const allowed = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*, authorization, x-api-key",
  "access-control-expose-headers": "retry-after",
};

/** Returns a stream with a text, in a format. */
function pieces(format: Format, text: string): string[] {
  const event = (kind: string, data: object): string =>
    `event: ${kind}\ndata: ${JSON.stringify({ type: kind, ...data })}\n\n`;
  switch (format) {
    case "openai":
      return [
        `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`,
        `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\n`,
        "data: [DONE]\n\n",
      ];
    case "anthropic":
      return [
        event("message_start", { message: { usage: { input_tokens: 3 } } }),
        event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
        event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
        event("content_block_stop", { index: 0 }),
        event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } }),
        event("message_stop", {}),
      ];
    case "ollama":
      return [
        `${JSON.stringify({ message: { role: "assistant", content: text }, done: false })}\n`,
        `${JSON.stringify({ message: { content: "" }, done: true, done_reason: "stop" })}\n`,
      ];
  }
}

/** Endpoints of all formats that fail on request. */
export class FaultyEndpoint {
  fault: Fault = "good";
  /** Returns the number of requests that wait for an answer or for its rest. */
  open = 0;
  readonly #server: Server;
  readonly #busy = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => {
      const [, format = "openai"] = (request.url ?? "").split("/");
      let body = "";
      const key = String(request.headers["x-api-key"] ?? request.headers.authorization ?? "").replace("Bearer ", "");
      this.open++;
      response.on("close", () => this.open--);
      request
        .setEncoding("utf8")
        .on("data", (text: string) => (body += text))
        .on("end", () => {
          if (this.fault === "refusing")
            return void response.writeHead(200, { "content-type": "text/plain" }).end("no");
          if (request.method === "OPTIONS") return void response.writeHead(204, allowed).end();
          this.#answer(format as Format, body, key, response);
        });
    });
  }

  static async start(): Promise<FaultyEndpoint> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new FaultyEndpoint(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(format: Format, body: string, key: string, response: ServerResponse): void {
    const type = format === "ollama" ? "application/x-ndjson" : "text/event-stream";
    const parts = pieces(format, "1");
    const begin = (): ServerResponse => response.writeHead(200, { ...allowed, "content-type": type });
    switch (this.fault) {
      case "busy":
        // Only on the first request of each.
        if (!this.#busy.has(body)) {
          this.#busy.add(body);
          return void response
            .writeHead(429, { ...allowed, "retry-after": "1" })
            .end('{"error":{"message":"slow down"}}');
        }
        break;
      case "broken":
        return void response.writeHead(500, allowed).end("it broke");
      case "cut":
        begin().write((parts[0] ?? "").slice(0, 20));
        return void setImmediate(() => response.destroy());
      case "malformed":
        return void begin().end(`data: {"choices":[{"delta":\n\n{"message":\nevent: what\ndata: no\n\n`);
      case "slow":
        return void begin().write(parts[0]); // and then silence
      case "telling":
        // Some servers repeat the rejected key.
        return void response
          .writeHead(401, { ...allowed, "content-type": "application/json", "x-refused": key })
          .end(JSON.stringify({ error: { message: `the key ${key} is not known` } }));
      case "quoting":
        return void begin().end(pieces(format, `1, said ${key}`).join(""));
      case "mistyped":
        return void response
          .writeHead(200, { ...allowed, "content-type": "text/html" })
          .end("<!doctype html><title>Sign in</title>");
    }
    begin().end(parts.join(""));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
