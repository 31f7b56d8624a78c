import { type GuardExample, guardExamples, npmFile, wheelFile } from "./guard-examples.js";

/** The ways to use a guard, by their groups. */
export const uses: readonly { readonly group: string; readonly titles: readonly string[] }[] = [
  { group: "Languages", titles: ["JavaScript", "Python", "Go", "Any other"] },
  { group: "Adapters", titles: guardExamples.map(({ title }) => title) },
  { group: "Checks", titles: ["Continuous integration"] },
];

/** The name of the guard of a spec, without characters that browsers replace in the names of downloads. */
export function guardFile(spec: string): string {
  const base = spec.replace(/.*\//, "").replace(/\.\w+$/, "");
  return `${base.replaceAll(/[\p{C}\p{Zl}\p{Zp}"*/:<>?\\|~%]/gu, "_").replace(/^[-.\s]/, "_") || "agent"}.guard`;
}

/** A word of a command for a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The name of a server of MCP for a guard: letters and digits of ASCII, and single signs between them. */
const serverName = (file: string): string =>
  file
    .replace(/\.guard$/, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "agent";

/** A list of names as a value of YAML, with one name a line. GitHub evaluates the text between the signs of an expression. */
function yamlLines(names: readonly string[], indent: string): string {
  const safe = names.map((name) => name.replaceAll("${{", "${{ '${{' }}"));
  if (safe.every((name) => /^[\w./ '${}-]+$/.test(name))) return `|\n${safe.map((name) => indent + name).join("\n")}`;
  const quoted = JSON.stringify(safe.join("\n"));
  return quoted.replaceAll(/[\p{C}\p{Zl}\p{Zp}\u{10000}-\u{10ffff}]/gu, (sign) =>
    [...Array(sign.length).keys()].map((i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** The program that asks a guard before each call, or the configuration of an adapter. Its `site` ends with a slash. */
export function guardCode(use: string, file: string, sources: readonly string[], site: string): string {
  const name = JSON.stringify(file); // also a string of Python and Go, because the name has no control characters
  switch (use) {
    case "JavaScript":
      return `// npm install ${site}packages/${npmFile}
import { readFile } from "node:fs/promises";
import { Guard } from "stile-guard";

const guard = Guard.read(await readFile(${name}, "utf8"));
const permit = (decision) => {
  if (decision.verdict !== "allow") throw new Error(decision.reason);
};

/** Begins a run with the user's message. */
export function begin(prompt) {
  const session = guard.begin();
  permit(session.record({ kind: "message", name: "user", content: prompt }));
  return session;
}

/** Makes a call of a tool if the guard allows it, and enters its result. */
export async function call(session, id, tool, input, execute) {
  permit(session.allow({ name: tool, arguments: input, id }));
  let output;
  try {
    output = await execute(input);
  } catch (error) {
    permit(session.record({ kind: "error", id, content: String(error) }));
    throw error;
  }
  permit(session.record({ kind: "result", id, content: output }));
  return output;
}

/** Ends a run with the model's answer. */
export function finish(session, answer) {
  permit(session.record({ kind: "message", name: "assistant", content: answer, final: true }));
  permit(session.end());
}
`;
    case "Python":
      return `# pip install ${site}packages/${wheelFile}
from stile_guard import Guard

with open(${name}, encoding="utf-8", newline="") as file:
    guard = Guard.read(file.read())


def permit(decision):
    if decision.verdict != "allow":
        raise PermissionError(decision.reason)


def begin(prompt):
    """Begins a run with the user's message."""
    session = guard.begin()
    permit(session.record({"kind": "message", "name": "user", "content": prompt}))
    return session


def call(session, id, tool, arguments, execute):
    """Makes a call of a tool if the guard allows it, and enters its result."""
    permit(session.allow({"name": tool, "arguments": arguments, "id": id}))
    try:
        output = execute(arguments)
    except Exception as error:
        permit(session.record({"kind": "error", "id": id, "content": str(error)}))
        raise
    permit(session.record({"kind": "result", "id": id, "content": output}))
    return output


def finish(session, answer):
    """Ends a run with the model's answer."""
    permit(session.record({"kind": "message", "name": "assistant", "content": answer, "final": True}))
    permit(session.end())
`;
    case "Go":
      return `package guarded

import (
	"errors"
	"os"

	"github.com/stile-playground/stile/core/gate"
)

// Begin begins a run with the user's message.
func Begin(prompt string, options gate.Options) (*gate.Session, error) {
	text, err := os.ReadFile(${name})
	if err != nil {
		return nil, err
	}
	guard, err := gate.Read(string(text))
	if err != nil {
		return nil, err
	}
	session, err := guard.Begin(options)
	if err != nil {
		return nil, err
	}
	return session, permit(session.Record(gate.Event{Kind: "message", Name: "user", Content: prompt}))
}

// Call makes a call of a tool if the guard allows it, and enters its result. The arguments are JSON.
func Call(session *gate.Session, id, tool, arguments string, execute func(arguments string) (string, error)) (string, error) {
	if err := permit(session.Allow(gate.Event{Name: tool, Arguments: arguments, ID: id})); err != nil {
		return "", err
	}
	output, err := execute(arguments)
	if err != nil {
		return "", errors.Join(err, permit(session.Record(gate.Event{Kind: "error", ID: id, Content: err.Error()})))
	}
	return output, permit(session.Record(gate.Event{Kind: "result", ID: id, Content: output}))
}

// Finish ends a run with the model's answer.
func Finish(session *gate.Session, answer string) error {
	if err := permit(session.Record(gate.Event{Kind: "message", Name: "assistant", Content: answer, Final: true})); err != nil {
		return err
	}
	return permit(session.End())
}

func permit(decision gate.Decision) error {
	if decision.Verdict != gate.Allow {
		return errors.New(decision.Reason)
	}
	return nil
}
`;
    case "Any other":
      return `stile guard ${shellWord(file)} -listen 127.0.0.1:6180 -journal guard.journal &
ask() { curl -sS --retry 9 --retry-connrefused -H 'Content-Type: application/json' -d "$2" "http://127.0.0.1:6180/sessions/1/$1"; }
ask record '{"kind": "message", "name": "user", "content": "PROMPT"}'
ask allow '{"name": "TOOL", "arguments": {}, "id": "1"}'
ask record '{"kind": "result", "id": "1", "content": "OUTPUT"}'
ask record '{"kind": "message", "name": "assistant", "content": "ANSWER", "final": true}'
ask end '{}'
`;
    case "Continuous integration":
      return `- uses: actions/checkout@v5
- uses: stile-playground/stile@main
  with:
    specs: ${yamlLines(sources, "      ")}
    traces: traces
`;
  }
  const example = guardExamples.find(({ title }) => title === use);
  return example === undefined ? "" : filledIn(example, file, site);
}

/** An example with the names of a guard instead of those of the page. */
function filledIn({ language, code }: GuardExample, file: string, site: string): string {
  const server = serverName(file);
  const inner = (text: string): string => JSON.stringify(text).slice(1, -1); // of a string in JSON, TOML and JavaScript
  const word = language === "sh" ? shellWord(file) : inner(shellWord(file));
  const own = code.replaceAll(/"shop\.guard"|shop\.guard|(?<![A-Za-z])shop(?![A-Za-z])/g, (found) =>
    found === "shop" ? server : found === "shop.guard" ? word : JSON.stringify(file),
  );
  if (language !== "js") return own;
  const sdk = [...code.matchAll(/from "([^"]+)"/g)]
    .map((found) => found[1] ?? "")
    .filter((from) => !/^(node:|stile-guard)/.test(from));
  return `// npm install ${site}packages/${npmFile} ${sdk.join(" ")}\n${own}`;
}
