// Answers requests in OpenAI's format with the browser's built-in model (Prompt API of the W3C's
// Web Machine Learning Community Group). Chrome has it in windows only, not in workers.
import type { Answer, HTTP } from "../core/wire.js";

/** "absent" if the browser has no such interface. */
export type Availability = "absent" | "unavailable" | "downloadable" | "downloading" | "available";

interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
  readonly prefix?: boolean;
}

interface PromptOptions {
  readonly signal?: AbortSignal;
  readonly responseConstraint?: object;
}

interface Session {
  readonly contextUsage: number;
  promptStreaming(input: readonly Message[], options: PromptOptions): ReadableStream<string>;
  measureContextUsage(input: readonly Message[], options: PromptOptions): Promise<number>;
  destroy(): void;
}

interface CreateOptions {
  readonly expectedInputs: readonly Expected[];
  readonly expectedOutputs: readonly Expected[];
  readonly samplingMode?: string;
  readonly temperature?: number;
  readonly topK?: number;
  readonly initialPrompts?: readonly Message[];
  readonly signal?: AbortSignal;
  readonly monitor?: (monitor: EventTarget) => void;
}

interface Expected {
  readonly type: "text";
  readonly languages: readonly string[];
}

interface LanguageModels {
  availability(options: CreateOptions): Promise<Availability>;
  create(options: CreateOptions): Promise<Session>;
  /** Exists only where the temperature is a number: in extensions, and in Chrome before 148. */
  params?(): Promise<{ readonly defaultTopK: number; readonly maxTemperature: number } | null>;
}

/** The fields of a request that are used. */
interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string; readonly prefix?: boolean }[];
  readonly stop?: readonly string[];
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly tools?: readonly unknown[];
  readonly response_format?: { readonly json_schema: { readonly schema: object } };
}

/** The language of texts. Chrome warns if none is given, and supports few. */
const english: readonly Expected[] = [{ type: "text", languages: ["en"] }];
const basic: CreateOptions = { expectedInputs: english, expectedOutputs: english };

/** The model's name in the list of models. */
const NAME = "built-in";

/** Milliseconds after the last answer for which a session keeps the model in memory. */
const WARM = 60_000;

function models(): LanguageModels | undefined {
  return (self as { readonly LanguageModel?: LanguageModels }).LanguageModel;
}

export async function availability(): Promise<Availability> {
  return (await models()?.availability(basic)) ?? "absent";
}

/**
 * Downloads the model and reports the share that has arrived. The browser permits this only while it handles a
 * click or a key.
 */
export async function download(signal: AbortSignal, progress: (loaded: number) => void): Promise<void> {
  const session = await models()?.create({
    ...basic,
    signal,
    monitor: (monitor) =>
      monitor.addEventListener("downloadprogress", (event) => progress((event as ProgressEvent).loaded)),
  });
  session?.destroy();
}

/** Explains why the model cannot answer, and the fix. */
export const lacks: Readonly<Record<Exclude<Availability, "available">, string>> = {
  absent: "This browser has no built-in model. Chrome 148 or newer has one on desktop computers.",
  unavailable:
    "The browser’s model does not run on this device. Chrome requires 22 GB of free space and either 16 GB of memory or a graphics card with more than 4 GB.",
  downloadable: "The model is not on this device yet. Download it in the settings of the endpoint.",
  downloading: "The model is being downloaded. Start again when the download is complete.",
};

type Post = (answer: Omit<Answer, "effect">) => void;

/** Answers a request at a port, which sends null to cancel. */
export async function answer(http: HTTP, port: MessagePort): Promise<void> {
  const abort = new AbortController();
  port.onmessage = () => abort.abort();
  const post: Post = (part) => port.postMessage(part);
  const began = performance.now();
  const end = (status: number, body: string): void =>
    post({ value: { status, headers: {}, body, milliseconds: Math.round(performance.now() - began) } });
  const silence = new Silence(http.idle ?? 0, abort);
  try {
    const state = await availability();
    if (state !== "available") post({ error: { code: "no-model", message: lacks[state] } });
    else if (http.method === "GET") end(200, JSON.stringify({ data: [{ id: NAME, owned_by: "browser" }] }));
    else {
      await respond(JSON.parse(http.body ?? "") as Body, abort.signal, (event) => {
        silence.heard();
        post({ chunk: `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n` });
      });
      end(200, "");
    }
  } catch (reason) {
    const { name, message } = reason as DOMException;
    if (silence.over)
      post({ error: { code: "timeout", message: "the browser’s model timed out without writing anything" } });
    else if (abort.signal.aborted) post({ error: { code: "aborted", message: "the request was cancelled" } });
    else if (name === "NotAllowedError")
      post({ error: { code: "no-model", message: `the browser does not let this page use its model: ${message}` } });
    else end(statuses[name] ?? 500, JSON.stringify({ error: { message } }));
  } finally {
    silence.stop();
  }
}

/** The HTTP status for each exception of the interface. Other exceptions may be temporary. */
const statuses: Readonly<Record<string, number>> = {
  QuotaExceededError: 413,
  NotSupportedError: 400,
  TypeError: 400,
};

/** Aborts a request after a time without text. */
class Silence {
  over = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly limit: number,
    readonly abort: AbortController,
  ) {
    this.heard();
  }

  heard(): void {
    this.stop();
    if (this.limit > 0)
      this.#timer = setTimeout(() => {
        this.over = true;
        this.abort.abort();
      }, this.limit);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

let warm: Session | undefined;
let cooling: ReturnType<typeof setTimeout> | undefined;

/** Keeps a session, and so the model in memory, until the next session starts or {@link WARM} has passed. */
function keep(session: Session): void {
  clearTimeout(cooling);
  warm?.destroy();
  warm = session;
  cooling = setTimeout(() => {
    warm?.destroy();
    warm = undefined;
  }, WARM);
}

/** Sends the events of a stream of chat completions. */
async function respond(body: Body, signal: AbortSignal, send: (event: unknown) => void): Promise<void> {
  if (body.tools !== undefined && body.tools.length > 0) throw new TypeError("the browser’s model calls no tools");
  const { before, input } = split(body.messages);
  const session = await models()?.create({
    ...basic,
    ...(await sampling(body.temperature)),
    initialPrompts: before,
    signal,
  });
  if (session === undefined) return;
  const own = new AbortController();
  const schema = body.response_format?.json_schema.schema;
  const options = {
    signal: AbortSignal.any([signal, own.signal]),
    ...(schema && { responseConstraint: schema }),
  };
  try {
    const prompt = session.contextUsage + (await session.measureContextUsage(input, options));
    const text = new Written(body.stop ?? [], body.max_tokens ?? Infinity);
    const reader = session.promptStreaming(input, options).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      const ready = done ? text.rest() : text.write(value);
      if (ready !== "") send({ choices: [{ delta: { content: ready } }] });
      if (done || text.reason !== "") break;
    }
    if (text.reason !== "") own.abort(); // otherwise the model would continue to write
    const completion = text.reason === "" ? Math.max(session.contextUsage - prompt, 0) : text.tokens;
    send({
      choices: [{ delta: {}, finish_reason: text.reason || "stop" }],
      usage: { prompt_tokens: prompt, completion_tokens: completion },
    });
    send("[DONE]");
  } finally {
    keep(session);
  }
}

/** Splits messages into the session's first ones, which the browser never drops, and the prompt. */
function split(messages: Body["messages"]): {
  readonly before: readonly Message[];
  readonly input: readonly Message[];
} {
  const system = messages.filter((m) => m.role === "system").map((m) => m.content);
  const turns = messages.filter((m) => m.role !== "system") as readonly Message[];
  const at = turns.findLastIndex((m) => m.role === "user");
  const first: Message[] = system.length === 0 ? [] : [{ role: "system", content: system.join("\n\n") }];
  return { before: [...first, ...turns.slice(0, Math.max(at, 0))], input: turns.slice(Math.max(at, 0)) };
}

/** Returns the options for a temperature: a number if the browser supports it, otherwise the nearest mode. */
async function sampling(temperature: number | undefined): Promise<Partial<CreateOptions>> {
  if (temperature === undefined) return {};
  const params = await models()?.params?.();
  if (params) return { temperature: Math.min(temperature, params.maxTemperature), topK: params.defaultTopK };
  const modes = ["most-predictable", "predictable", "balanced", "creative", "most-creative"];
  return {
    samplingMode: modes[[0.1, 0.5, 0.9, 1.3, Infinity].findIndex((limit) => temperature < limit)] ?? "balanced",
  };
}

/** A text that ends at a stop text or after a number of tokens; the browser's interface supports neither limit. */
class Written {
  reason: "" | "stop" | "length" = "";
  tokens = 0;
  /** The end of the text, if it may be the beginning of a stop text. */
  #held = "";
  #length = 0;

  constructor(
    readonly stops: readonly string[],
    readonly limit: number,
  ) {}

  /** Adds a piece of text, and returns the text that cannot belong to a stop text. */
  write(piece: string): string {
    this.#length += piece.length;
    // A piece has one or a few tokens. The quotient is a token's usual length.
    this.tokens = Math.max(this.tokens + 1, Math.floor(this.#length / 4));
    const text = this.#held + piece;
    const ends = this.stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    if (ends.length > 0) {
      this.reason = "stop";
      return text.slice(0, Math.min(...ends));
    }
    if (this.tokens >= this.limit) {
      this.reason = "length";
      return text;
    }
    const longest = Math.max(0, ...this.stops.map((stop) => stop.length - 1));
    let held = Math.min(longest, text.length);
    while (held > 0 && !this.stops.some((stop) => stop.startsWith(text.slice(-held)))) held--;
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** Returns the rest at the end. */
  rest(): string {
    return this.#held;
  }
}
