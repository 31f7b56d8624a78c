// Four walks of a person who has never seen the page, each from an empty profile: by mouse, by
// keyboard alone, by touch at 390 pixels, and by the roles and names of the accessibility tree.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { CDPSession, Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.js";
import { LONG } from "./sample.js";

type Role = "button" | "tab" | "textbox" | "combobox" | "disclosure";

/** A way to use the page. Each method but see is one action. */
interface Hand {
  press(role: Role, name: RegExp): Promise<void>;
  /** Replaces the text of a field. */
  write(name: RegExp, text: string): Promise<void>;
  choose(name: RegExp, option: string): Promise<void>;
  /** Waits until a text is shown. */
  see(text: RegExp): Promise<void>;
}

const places = (page: Page, role: Role, name: RegExp): Locator =>
  (role === "disclosure" ? page.locator("summary", { hasText: name }) : page.getByRole(role, { name }))
    .filter({ visible: true })
    .first();

/** Presses an element by pointer: nothing may cover it. */
class Pointer implements Hand {
  constructor(
    protected readonly page: Page,
    private readonly touch: boolean,
  ) {}

  async press(role: Role, name: RegExp): Promise<void> {
    await this.point(places(this.page, role, name));
  }

  protected async point(at: Locator): Promise<void> {
    await (this.touch ? at.tap() : at.click());
  }

  async write(name: RegExp, text: string): Promise<void> {
    await this.point(places(this.page, "textbox", name));
    await replace(this.page, text);
  }

  async choose(name: RegExp, option: string): Promise<void> {
    await places(this.page, "combobox", name).selectOption({ label: option });
  }

  async see(text: RegExp): Promise<void> {
    await expect(this.page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  }
}

/** Presses keys only: Tab, Enter, the arrows within lists of tabs, and letters. */
class Keys extends Pointer {
  constructor(page: Page) {
    super(page, false);
  }

  protected override async point(at: Locator): Promise<void> {
    await this.#reach(at);
    if ((await at.getAttribute("role")) !== "textbox" && (await at.evaluate((e) => e.localName)) !== "textarea")
      await this.page.keyboard.press("Enter");
  }

  override async choose(name: RegExp, option: string): Promise<void> {
    await this.#reach(places(this.page, "combobox", name));
    await this.page.keyboard.type(option);
  }

  async #reach(at: Locator): Promise<void> {
    await at.waitFor();
    for (let i = 0; i < 150; i++) {
      const where = await at.evaluate((element) => {
        let here = document.activeElement;
        while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
        if (here === element) return "there";
        if (here?.closest(".cm-editor") != null) return "editor";
        const list = element.closest("[role=tablist]");
        return list !== null && here?.closest("[role=tablist]") === list ? "list" : "elsewhere";
      });
      if (where === "there") return;
      if (where === "editor") await this.page.keyboard.press("Escape");
      await this.page.keyboard.press(where === "list" ? "ArrowRight" : "Tab");
    }
    const last = await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    throw new Error(`no Tab leads to ${at}; the focus is on ${last}`);
  }
}

/** The roles by their names in the tree. */
const roles: Readonly<Record<Role, string>> = {
  button: "button",
  tab: "tab",
  textbox: "textbox",
  combobox: "combobox",
  disclosure: "disclosuretriangle",
};

interface Node {
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly value?: { readonly value?: string };
  readonly ignored?: boolean;
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly backendDOMNodeId?: number;
}

/** Reads and presses the nodes of the accessibility tree, as screen readers do. */
class Tree implements Hand {
  #devtools: CDPSession | undefined;

  constructor(private readonly page: Page) {}

  async #nodes(): Promise<readonly Node[]> {
    this.#devtools ??= await this.page.context().newCDPSession(this.page);
    const { nodes } = (await this.#devtools.send("Accessibility.getFullAXTree")) as { nodes: Node[] };
    return nodes.filter((n) => n.ignored !== true);
  }

  async #find(role: Role, name: RegExp): Promise<Node> {
    let found: Node | undefined;
    await expect
      .poll(async () => {
        found = (await this.#nodes()).find(
          (n) =>
            n.role?.value?.toLowerCase() === roles[role] &&
            name.test(n.name?.value ?? "") &&
            n.properties?.some((p) => p.name === "disabled" && p.value.value === true) !== true,
        );
        return found !== undefined;
      }, `a ${role} named ${name}`)
      .toBe(true);
    return found as Node;
  }

  async #call(node: Node, body: string): Promise<void> {
    const devtools = this.#devtools as CDPSession;
    const { object } = await devtools.send("DOM.resolveNode", { backendNodeId: node.backendDOMNodeId ?? 0 });
    await devtools.send("Runtime.callFunctionOn", {
      objectId: object.objectId ?? "",
      functionDeclaration: `function () { ${body} }`,
      userGesture: true,
    });
  }

  async press(role: Role, name: RegExp): Promise<void> {
    await this.#call(await this.#find(role, name), "this.click()");
  }

  async write(name: RegExp, text: string): Promise<void> {
    await this.#call(await this.#find("textbox", name), "this.focus()");
    await replace(this.page, text);
  }

  async choose(name: RegExp, option: string): Promise<void> {
    await this.#call(await this.#find("combobox", name), "this.focus()");
    await this.page.keyboard.type(option);
  }

  async see(text: RegExp): Promise<void> {
    await expect
      .poll(async () => (await this.#nodes()).some((n) => text.test(`${n.name?.value} ${n.value?.value}`)), `${text}`)
      .toBe(true);
  }
}

async function replace(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}

const agent = (bounds: string): string => `(define search-agent
  (:states
    (Question (:text "[Question]"))
    (Search (:text "[Search]"))
    (Result (:text "[Result]") (:flags :env-input))
    (Answer (:text "[Answer]")))
  (:behavior
    (next Question (until_${bounds} (next Search Result) Answer))))
`;

const properties = `at_most_three: !F(Search & X F(Search & X F(Search & X F Search)))

informed: !Answer W Result
`;

// arithmetic.gbnf of llama.cpp (MIT licence). A new line is also a space, so an expression may
// contain one, although it ends each equation.
const arithmetic = `root  ::= (expr "=" ws term "\\n")+
expr  ::= term ([-+*/] term)*
term  ::= ident | num | "(" ws expr ")" ws
ident ::= [a-z] [a-z0-9_]* ws
num   ::= [0-9]+ ws
ws    ::= [ \\t\\n]*
`;

interface Walk {
  readonly id: string;
  readonly name: string;
  /** The documented number of actions, and that at 390 pixels, which shows one pane at a time. */
  readonly actions: readonly [wide: number, narrow: number];
  /** Pane opens a pane that is hidden at 390 pixels. */
  readonly steps: (hand: Hand, pane: (name: RegExp) => Promise<void>, page: Page) => Promise<void>;
}

const walks: readonly Walk[] = [
  {
    id: "stack",
    name: "write aⁿbⁿ, see why it needs a stack, share it",
    actions: [8, 9],
    steps: async (hand, pane, page) => {
      await hand.press("button", /^Write your own$/);
      await hand.press("button", /^Blank/);
      await hand.write(/^Text of untitled\.cfg/, "S -> a S b | ε\n");
      await pane(/^Automaton/);
      await hand.press("button", /^a$/);
      await hand.press("button", /^a$/);
      await expect(page.locator("stile-stack")).toContainText(/S\s*b\s*b\s*Z/);
      await hand.press("button", /^In words$/);
      await hand.see(/for each a the stack keeps b, which must follow/);
      await picture(page, "stack");
      await hand.press("button", /^Share$/);
      await hand.press("button", /^Copy the link$/);
      await hand.see(/Copied the link/);
      expect(await copied(page)).toMatch(/#1:/);
    },
  },
  {
    id: "agent",
    name: "write an agent that searches at most three times, see a property violated, fix it",
    actions: [9, 11],
    steps: async (hand, pane, page) => {
      await hand.press("button", /^Write your own$/);
      await hand.press("button", /^Agent/);
      await pane(/^Text/);
      await hand.write(/^Text of research\.agent/, agent("3"));
      await hand.press("tab", /^properties\.ltl/);
      await hand.write(/^Text of properties\.ltl/, properties);
      await hand.press("tab", /^Verify/);
      await hand.see(/^Proved for every run of research\.agent/);
      await hand.see(/Counterexample in research\.agent: Question Answer/);
      await picture(page, "agent");
      await hand.press("button", /^Step through the counterexample of informed$/);
      await hand.see(/Valid:/);
      await pane(/^Text/);
      await hand.write(/^Text of research\.agent/, agent("1_3"));
      await hand.press("tab", /^Verify/);
      await expect(page.locator("stile-properties .pill")).toHaveText(["holds", "holds"]);
    },
  },
  {
    id: "grammar",
    name: "import a grammar of llama.cpp, find a word that it wrongly accepts",
    actions: [4, 5],
    steps: async (hand, pane, page) => {
      await pane(/^Text/);
      await hand.press("button", /^Import a grammar or policies of another tool$/);
      await hand.write(/^Text$/, arithmetic);
      await hand.press("button", /^Add to the workspace$/);
      // The third symbol may be the new line that ends an equation.
      await hand.press("button", /^Step through ⟨\[a-z\]⟩ ⟨\[ \\t\\n\]⟩/);
      await hand.see(/Valid:/);
      await picture(page, "grammar");
    },
  },
  {
    id: "flowchart",
    name: "embed a flowchart in a Markdown page",
    actions: [7, 7],
    steps: async (hand, _pane, page) => {
      await hand.press("button", /^Write your own$/);
      await hand.press("button", /^Flowchart/);
      await hand.press("button", /^Share$/);
      await hand.press("disclosure", /^Embed it in a page, or in Markdown$/);
      await hand.choose(/^As$/, "Markdown");
      await hand.press("button", /^Copy the code$/);
      await picture(page, "flowchart");
      const [fence, ...lines] = (await copied(page)).trimEnd().split("\n");
      expect(fence).toMatch(/^```stile/);
      // As a Markdown renderer writes the block, in another site.
      const text = lines.slice(0, -1).join("\n").replace(/&/g, "&amp;").replace(/</g, "&lt;");
      const script = new URL("stile-embed.js", page.url()).href;
      const site = createServer((_, response) => {
        response
          .writeHead(200, { "content-type": "text/html; charset=utf-8" })
          .end(
            `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><script type="module" src="${script}"></script><pre><code class="language-stile">${text}\n</code></pre></html>`,
          );
      });
      await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
      try {
        await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
        await hand.press("button", /^Try it/);
        await expect(page.frameLocator("stile-embed iframe").locator("svg.drawing .node").first()).toBeVisible();
      } finally {
        site.closeAllConnections();
        site.close();
      }
    },
  },
];

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Keeps a picture for people to look at: STILE_PICTURES=1, as docs/testing.md describes. */
async function picture(page: Page, id: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  if ((process.env["STILE_PICTURES"] ?? "") === "") return;
  await page.waitForTimeout(500); // the drawing and the results settle
  await page.screenshot({ path: fileURLToPath(new URL(`walks/${id}-${width}.png`, import.meta.url)) });
}

/** Counts the actions of a way to use the page. */
function counted(hand: Hand): { readonly hand: Hand; readonly actions: () => number } {
  let actions = 0;
  const count =
    <A extends readonly unknown[]>(act: (...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      actions++;
      await act(...args);
    };
  return {
    hand: {
      press: count((role: Role, name: RegExp) => hand.press(role, name)),
      write: count((name: RegExp, text: string) => hand.write(name, text)),
      choose: count((name: RegExp, option: string) => hand.choose(name, option)),
      see: (text) => hand.see(text),
    },
    actions: () => actions,
  };
}

const ways = {
  mouse: (page: Page) => new Pointer(page, false),
  keys: (page: Page) => new Keys(page),
  touch: (page: Page) => new Pointer(page, true),
  tree: (page: Page) => new Tree(page),
} satisfies Record<string, (page: Page) => Hand>;

/** Each walk runs in one way; in all of them with -long. */
const natural: Readonly<Record<string, keyof typeof ways>> = {
  stack: "touch",
  agent: "keys",
  grammar: "mouse",
  flowchart: "tree",
};

for (const { id, name, actions, steps } of walks) {
  for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
    if (!LONG && natural[id] !== way) continue;
    const narrow = way === "touch";
    test.describe(way, () => {
      test.use({
        ...(narrow
          ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
          : { viewport: { width: 1280, height: 800 } }),
        permissions: ["clipboard-read", "clipboard-write"],
      });
      test(name, async ({ quiet: page }) => {
        await page.goto("./");
        const { hand, actions: done } = counted(ways[way](page));
        await steps(hand, async (pane) => (narrow ? hand.press("tab", pane) : undefined), page);
        expect(done()).toBe(actions[narrow ? 1 : 0]);
      });
    });
  }
}
