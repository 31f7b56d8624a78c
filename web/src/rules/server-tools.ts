import { html, nothing } from "lit";
import type { File } from "../core/wire.js";
import { edited } from "../edit/language-service.js";
import { agentToolsFile } from "../run/agent-settings.js";
import { messageOf } from "../store/faults.js";
import type { Playground } from "../store/playground.js";
import { iconWarning } from "../ui/icons.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { sentence } from "../ui/text.js";

interface Server {
  readonly url: string;
  /** The endpoint whose key is sent, "" for none. */
  readonly auth: string;
}

/** Reads the tools of MCP servers into files of contracts, and records these contracts in the rules. */
export class StileServerTools extends LightElement {
  @prop name = "";
  @prop files: readonly File[] = [];
  @prop playground!: Pick<Playground, "core" | "runCore" | "store" | "watched">;
  @state busy = "";
  @state fault = "";
  /** The last file that was read, "" for none. */
  @state read = "";
  @state recorded = false;

  protected override render(): unknown {
    const servers = serversOf(this.files);
    if (servers.length === 0) return nothing;
    return html`<div class="row wrap server-tools">
        ${servers.map(
          (server) =>
            html`<button
              class="button small"
              type="button"
              title=${`Requests the list of tools from ${server.url}`}
              ?disabled=${this.busy !== ""}
              @click=${() => void this.#read(server)}
            >
              Read the tools of ${hostOf(server)}${server.auth === "" ? "" : ` (sends your key of “${server.auth}”)`}
            </button>`,
        )}
        ${
          this.read === "" || this.recorded
            ? nothing
            : html`<button class="button small" type="button" @click=${() => void this.#record()}>
                Record the contracts in ${this.name}
              </button>`
        }
        <span class="hint" role="status">${this.#status()}</span>
      </div>
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${iconWarning} <span>${sentence(this.fault)}</span></p>`}`;
  }

  #status(): unknown {
    if (this.busy !== "") return `Reading the tools of ${this.busy}…`;
    if (this.read === "") return nothing;
    return html`Stored as <code>${this.read}</code>.
      ${this.recorded ? `${this.name} records the contracts: a change of them is reported.` : nothing}`;
  }

  async #read(server: Server): Promise<void> {
    const { store } = this.playground;
    const { generation } = store.state;
    this.busy = hostOf(server);
    this.fault = "";
    try {
      const file = await this.#listed(server);
      if (store.state.generation !== generation) return;
      store.keptFiles([file]);
      this.read = file.name;
      this.recorded = false;
    } catch (fault) {
      this.fault = `the tools of ${hostOf(server)} were not read: ${messageOf(fault)}`;
    } finally {
      this.busy = "";
    }
  }

  /** Runs the requests to a server. The person allowed them with the button. */
  #listed({ url, auth }: Server): Promise<File> {
    const { runCore, watched } = this.playground;
    const files = this.files.filter((f) => f.name.endsWith(".json"));
    return new Promise((resolve, reject) => {
      const run = runCore.run({ kind: "contracts", workspace: { files }, settings: { server: url } }, false, "run", [
        { tool: "", method: "*", address: url, ...(auth !== "" && { auth }) },
      ]);
      watched.set(run, ({ state, result, fault }) => {
        if (state === "done") resolve(result as File);
        else if (state === "failed" || state === "cancelled") reject(new Error(fault?.message ?? "cancelled"));
        else return;
        watched.delete(run);
      });
    });
  }

  /** Writes the hash of the current contracts into the rules, with the edit that the core proposes. */
  async #record(): Promise<void> {
    const { core, store } = this.playground;
    const { files, revision } = store.state;
    const before = files.find((f) => f.name === this.name)?.text ?? "";
    const text = /^# contracts:/m.test(before) ? before : `# contracts:\n${before}`;
    const all = files.map((f) => (f.name === this.name ? { name: f.name, text } : f));
    try {
      const { diagnostics } = await core.call("document.analyze", { files: all, name: this.name });
      if (store.state.revision !== revision) return;
      const edits = diagnostics.find((d) => d.code === "rules.drift")?.fixes?.[0]?.edits;
      if (edits !== undefined) store.editedText(this.name, edited(text, edits));
      this.recorded = true;
    } catch (fault) {
      this.fault = messageOf(fault);
    }
  }
}

function hostOf({ url }: Server): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns the MCP servers that agent-tools.json declares. */
function serversOf(files: readonly File[]): readonly Server[] {
  try {
    const { tools } = JSON.parse(files.find((f) => f.name === agentToolsFile)?.text ?? "{}") as {
      readonly tools?: readonly { readonly mcp?: { readonly url?: unknown; readonly auth?: unknown } }[];
    };
    return (tools ?? []).flatMap(({ mcp }) =>
      typeof mcp?.url === "string" ? [{ url: mcp.url, auth: typeof mcp.auth === "string" ? mcp.auth : "" }] : [],
    );
  } catch {
    return []; // the editor reports the fault
  }
}

customElements.define("stile-server-tools", StileServerTools);
