import type { Page } from "@playwright/test";

/** The settings of the stand-in, which a test may change while the page runs. */
export interface PromptModel {
  state: "unavailable" | "downloadable" | "downloading" | "available";
  /** The pieces of the answer; without them, the first value that the constraint allows. */
  pieces: readonly string[] | null;
  /** The download does not continue. */
  held: boolean;
  /** The model never ends its answer. */
  endless: boolean;
  contextWindow: number;
  /** The calls of the page, with their options. */
  readonly log: { readonly call: string; readonly [option: string]: unknown }[];
}

/**
 * Gives the page a stand-in for the interface LanguageModel of Chrome 148, because no browser of the
 * tests has a model. It follows the draft of the Prompt API of the W3C's Web Machine Learning Community
 * Group (index.bs and README.md, June 2026) where the page depends on it: who may download, which
 * messages are allowed, what a constraint does, how a session ends.
 */
export async function promptModel(page: Page, settings: Partial<PromptModel> = {}): Promise<void> {
  await page.addInitScript((settings) => {
    const model = {
      state: "available",
      pieces: null,
      held: false,
      endless: false,
      contextWindow: 4096,
      log: [],
      ...settings,
    } as PromptModel;
    const pause = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    type Turn = { readonly role: string; readonly content: string; readonly prefix?: boolean };
    const tokens = (turns: readonly Turn[]): number =>
      turns.reduce((sum, turn) => sum + 4 + Math.ceil(turn.content.length / 4), 0);
    const checked = (turns: readonly Turn[], first: boolean): void => {
      turns.forEach((turn, i) => {
        if (!["system", "user", "assistant"].includes(turn.role)) throw new TypeError(`unknown role ${turn.role}`);
        if (turn.role === "system" && (i > 0 || !first)) throw new TypeError("a system prompt is the first message");
        if (turn.prefix === true && (turn.role !== "assistant" || first || i < turns.length - 1))
          throw new DOMException("only the last message may be a prefix", "SyntaxError");
      });
    };
    const modes = ["most-predictable", "predictable", "balanced", "creative", "most-creative"];
    interface CreateOptions {
      readonly initialPrompts?: readonly Turn[];
      readonly samplingMode?: string;
      readonly signal?: AbortSignal;
      readonly monitor?: (monitor: EventTarget) => void;
    }
    interface PromptOptions {
      readonly signal?: AbortSignal;
      readonly responseConstraint?: { readonly properties?: Record<string, { readonly enum?: readonly string[] }> };
    }

    class LanguageModel extends EventTarget {
      contextWindow = model.contextWindow;
      // Not private: a transpiled private field needs a helper that an init script does not have.
      readonly ended = new AbortController();

      private constructor(public contextUsage: number) {
        super();
      }

      static availability(): Promise<string> {
        return Promise.resolve(model.state);
      }

      static async create({ signal, monitor, ...options }: CreateOptions = {}): Promise<LanguageModel> {
        model.log.push({ call: "create", ...options });
        signal?.throwIfAborted();
        checked(options.initialPrompts ?? [], true);
        if (options.samplingMode !== undefined && !modes.includes(options.samplingMode))
          throw new TypeError(`unknown mode ${options.samplingMode}`);
        if (model.state === "unavailable") throw new DOMException("there is no model", "NotSupportedError");
        if (model.state !== "available") {
          if (model.state === "downloadable" && !navigator.userActivation.isActive)
            throw new DOMException("a download needs a user gesture", "NotAllowedError");
          model.state = "downloading";
          const target = new EventTarget();
          monitor?.(target);
          for (let part = 1; part <= 10; part++) {
            target.dispatchEvent(new ProgressEvent("downloadprogress", { loaded: part / 10, total: 1 }));
            do await pause(60);
            while (model.held && signal?.aborted !== true);
            if (signal?.aborted === true) model.state = "downloadable";
            signal?.throwIfAborted();
          }
          model.state = "available";
        }
        return new LanguageModel(tokens(options.initialPrompts ?? []));
      }

      async measureContextUsage(input: readonly Turn[]): Promise<number> {
        await pause();
        return tokens(input);
      }

      promptStreaming(
        input: readonly Turn[],
        { signal, responseConstraint }: PromptOptions = {},
      ): ReadableStream<string> {
        model.log.push({ call: "prompt", input, responseConstraint });
        if (this.ended.signal.aborted) throw new DOMException("the session is destroyed", "InvalidStateError");
        checked(input, false);
        const any = AbortSignal.any([this.ended.signal, ...(signal ? [signal] : [])]);
        const [field, values] = Object.entries(responseConstraint?.properties ?? {})[0] ?? ["", {}];
        const constrained = responseConstraint && JSON.stringify({ [field]: values.enum?.[0] ?? "" });
        const pieces = [...(constrained?.match(/.{1,3}/gs) ?? model.pieces ?? ["ready"])];
        return new ReadableStream<string>({
          start: (controller) => {
            if (this.contextUsage + tokens(input) > this.contextWindow)
              controller.error(new DOMException("the input is too large", "QuotaExceededError"));
            any.addEventListener("abort", () => {
              model.log.push({ call: "aborted" });
              controller.error(new DOMException("aborted", "AbortError"));
            });
          },
          pull: async (controller) => {
            await pause();
            if (any.aborted) return;
            const piece = model.endless ? "word " : pieces.shift();
            if (piece !== undefined) return controller.enqueue(piece);
            this.contextUsage += tokens(input) + 7;
            controller.close();
          },
        });
      }

      destroy(): void {
        model.log.push({ call: "destroy" });
        this.ended.abort();
      }
    }
    Object.assign(self, { LanguageModel, promptModel: model });
  }, settings);
}

/** Changes the stand-in of a page. */
export async function changeModel(page: Page, settings: Partial<PromptModel>): Promise<void> {
  await page.evaluate(
    (settings) => void Object.assign((self as unknown as { promptModel: PromptModel }).promptModel, settings),
    settings,
  );
}

/** Returns the calls of a page. */
export function callsOf(page: Page): Promise<PromptModel["log"]> {
  return page.evaluate(() => (self as unknown as { promptModel: PromptModel }).promptModel.log);
}
