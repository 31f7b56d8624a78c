// Runs the other examples of the Export tab with names of specs that languages and shells treat differently.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, chmod, copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { guardCode, guardFile, guards, hostile, imported, site, uses } from "./sdks.mjs";

const names = [
  hostile, "shop.cfg", "my-shop.cfg", "it's.agent", `a "b".cfg`, "émile 店.cfg", "7days.cfg", "class.cfg", "import.flow", "None.pda", "$(touch pwned).cfg", "`touch pwned`.cfg",
  "-rf.cfg", "${{ secrets.X }}.cfg", "x'; touch pwned #.cfg", "a&touch pwned|b.flow", "shop shop.guard.cfg", "*.pda", "😀.rules", ".cfg", "a\u2028b.ltl", "tab\tname.cfg",
  "%PATH%.cfg", "$&.cfg", "$'$`.cfg", "{a,b}.cfg", "~.cfg", "nul\u0001.cfg", "folder/sub folder/x.agent", "\ufeffbom.cfg", "C:name.cfg", "a=b;c.cfg", "!!.cfg", "\\.cfg", "${HOME}.cfg",
];
const adapters = uses.find(({ group }) => group === "Adapters").titles;
const files = [...new Set(names.map(guardFile))];
for (const file of files) if (!guards.includes(file)) await copyFile("shop.guard", file);

/** Runs a program, and returns its standard output. */
const run = async (command, args, options = {}) => (await promisify(execFile)(command, args, { timeout: 60_000, ...options })).stdout;

/** A folder with programs that print their names and arguments. */
const stubs = await mkdtemp(join(tmpdir(), "stile-stubs-"));
for (const name of ["stile", "node", "curl"]) {
  await writeFile(join(stubs, name), `#!/bin/sh\nprintf '%s\\0' ${name} "$@" ''\n`);
  await chmod(join(stubs, name), 0o755);
}
const printed = async (script) => (await run("/bin/sh", ["-c", script], { env: { PATH: `${stubs}:/usr/bin:/bin` } })).split("\0\0").slice(0, -1).map((line) => line.split("\0"));

/** Parses texts in TOML with Python, whose library has it since version 3.11. */
const toml = async (...texts) => JSON.parse(await run("python3", ["-c", "import json, sys, tomllib; print(json.dumps([tomllib.loads(text) for text in sys.argv[1:]]))", ...texts]));
const codex = await toml(...files.map((file) => guardCode("Codex", file, [], site)));
const commands = (hooks) => Object.values(hooks).flat().flatMap((matcher) => matcher.hooks.map((hook) => hook.command));

/** The words of the command of an example in which a file is expected. */
async function words(title, file) {
  const code = guardCode(title, file, [], site);
  switch (title) {
    case "MCP over stdio": return Object.values(JSON.parse(code).mcpServers).map((server) => [server.command, ...server.args]);
    case "Claude Code": return printed(commands(JSON.parse(code).hooks).join("\n"));
    case "Codex": return printed(commands(codex[files.indexOf(file)].hooks).join("\n"));
    default: return printed(code);
  }
}

const python = `
import py_compile, sys
for name in sys.argv[1:]:
    py_compile.compile(name, doraise=True)
    space = {}
    exec(compile(open(name, encoding="utf-8").read(), name, "exec"), space)
`;

/** The run of a person in Python. */
const pythonRun = `
from program import begin, call, finish
session = begin("Refund order A7.")
try:
    call(session, "c1", "refund", {"order": "A7"}, lambda _: "no")
    raise SystemExit("the refund is not refused")
except PermissionError:
    pass
def fails(_):
    raise OSError("no login")
try:
    call(session, "c2", "login", {}, fails)
    raise SystemExit("the error is lost")
except OSError:
    pass
assert call(session, "c3", "logout", {}, lambda arguments: arguments) == {}
finish(session, "Done.")
`;
const goRun = `package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/stile-playground/stile/core/gate"
)

func main() {
	session, err := Begin("Refund order A7.", gate.Options{})
	check(err)
	if _, err := Call(session, "c1", "refund", "{}", nil); err == nil {
		check(errors.New("the refund is not refused"))
	}
	lost := errors.New("no login")
	if _, err := Call(session, "c2", "login", "{}", func(string) (string, error) { return "", lost }); err == nil || err.Error() != lost.Error() {
		check(fmt.Errorf("the error is %v", err))
	}
	_, err = Call(session, "c3", "logout", "{}", func(string) (string, error) { return "did logout", nil })
	check(err)
	check(Finish(session, "Done."))
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
`;

const checks = {
  "names of guards are names of files": async () => {
    for (const file of files) assert.match(file, /^[^-./\p{C}"*:<>?\\|~%][^/\p{C}"*:<>?\\|~%]*\.guard$/u);
  },
  "JavaScript with each name": async () => {
    for (const file of files) assert.deepEqual(Object.keys(await imported("JavaScript", file)).sort(), ["begin", "call", "finish"]);
  },
  "Python with each name": async () => {
    const programs = [];
    for (const [i, file] of files.entries()) {
      programs.push(`names-${i}.py`);
      await writeFile(programs[i], guardCode("Python", file, [], site));
    }
    await run("python3", ["-c", python, ...programs], { env: { ...process.env, PYTHONPATH: resolve("../../../wasm/guard/python"), PYTHONDONTWRITEBYTECODE: "1" } });
  },
  "Go with each name": async () => {
    await mkdir("go/names", { recursive: true });
    for (const [i, file] of files.entries()) await writeFile(`go/names/names-${i}.go`, guardCode("Go", file, [], site));
    assert.equal(await run("gofmt", ["-l", "go/names"]), "");
  },
  "the workflow with each name": async () => {
    for (const sources of [...names.map((name) => [name]), names.filter((name) => !/[\u0001\ufeff]/.test(name))]) {
      const [, step] = parse(guardCode("Continuous integration", "x.guard", sources, site));
      assert.deepEqual(step.with.specs.replace(/\n$/, "").split("\n").map((line) => line.replaceAll("${{ '${{' }}", "${{")), sources);
    }
  },
};
for (const title of adapters) {
  checks[`${title} with each name`] = async () => {
    for (const file of files) {
      if (/SDK|LangChain/.test(title)) assert.equal(typeof (await imported(title, file)).ask, "function");
      else {
        const found = (await words(title, file)).filter(([command]) => command === "stile");
        assert.ok(found.length > 0);
        for (const line of found) assert.ok(line.includes(file), `${JSON.stringify(line)} lacks ${file}`);
      }
    }
  };
}
checks["any other program with each name"] = async () => {
  for (const file of files) {
    const found = await printed(guardCode("Any other", file, [], site));
    assert.deepEqual(found.find(([command]) => command === "stile").slice(0, 3), ["stile", "guard", file]);
    assert.equal(found.filter(([command]) => command === "curl").length, 5);
  }
};

for (const file of guards) {
  checks[`JavaScript, ${file}`] = async () => {
    const { begin, call, finish } = await imported("JavaScript", file);
    const session = begin("Refund order A7.");
    await assert.rejects(call(session, "c1", "refund", {}, () => assert.fail()), /"refund" is not allowed here; allowed: "login"/);
    await assert.rejects(call(session, "c2", "login", {}, () => { throw new Error("no login"); }), /no login/);
    assert.throws(() => finish(session, "Done."), /is not allowed here|is not complete/);
    const complete = begin("Refund order A7.");
    await call(complete, "c2", "login", {}, () => ({ user: 7 }));
    assert.equal(await call(complete, "c3", "logout", {}, async () => "did logout"), "did logout");
    finish(complete, "Done.");
  };
  checks[`Python, ${file}`] = async () => {
    await writeFile("program.py", guardCode("Python", file, [], site));
    await run("python3", ["-c", pythonRun], { env: { ...process.env, PYTHONPATH: `${resolve("../../../wasm/guard/python")}:.`, PYTHONDONTWRITEBYTECODE: "1" } });
  };
  checks[`Go, ${file}`] = async () => {
    const folder = `go/${guards.indexOf(file)}`;
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/guarded.go`, guardCode("Go", file, [], site).replace("package guarded\n", "package main\n"));
    await writeFile(`${folder}/main.go`, goRun);
    await run("go", ["vet", `${folder}/guarded.go`, `${folder}/main.go`]);
    await run("go", ["run", `${folder}/guarded.go`, `${folder}/main.go`]);
  };
  checks[`any other program, ${file}`] = async () => {
    const port = await new Promise((done) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        server.close(() => done(port));
      });
    });
    const folder = await mkdtemp(join(tmpdir(), "stile-other-"));
    const code = guardCode("Any other", file, [], site).replaceAll("6180", String(port)).replace('"TOOL"', '"login"').replace("guard.journal &", `${folder}/guard.journal >/dev/null & server=$!`);
    const out = await run("/bin/sh", ["-c", `${code}kill $server\n`], { env: { ...process.env, PATH: `${resolve(".")}:${process.env.PATH}` } });
    assert.deepEqual([...out.matchAll(/"verdict":"(\w+)"/g)].map((found) => found[1]).slice(0, 3), ["allow", "allow", "allow"], out);
    assert.equal([...out.matchAll(/"verdict":/g)].length, 5);
  };
  for (const [agent, title] of [["claude", "Claude Code"], ["codex", "Codex"]]) {
    checks[`${title}, ${file}`] = async () => {
      const code = guardCode(title, file, [], site), { hooks } = agent === "claude" ? JSON.parse(code) : codex[files.indexOf(file)];
      const config = await mkdtemp(join(tmpdir(), "stile-hooks-"));
      const ask = async (event, fields) => {
        const command = hooks[event]?.[0]?.hooks[0]?.command;
        assert.ok(command, `no hook for ${event}`);
        const child = promisify(execFile)("/bin/sh", ["-c", command], { env: { ...process.env, XDG_CONFIG_HOME: config, PATH: `${resolve(".")}:${process.env.PATH}` } });
        child.child.stdin.end(JSON.stringify({ session_id: "s", hook_event_name: event, ...fields }));
        return (await child).stdout;
      };
      const prefix = hooks.PreToolUse[0].matcher.replace(".*", "");
      const use = (name, id) => ({ tool_name: prefix + name, tool_input: {}, tool_use_id: id });
      await ask("UserPromptSubmit", { prompt: "Refund order A7." });
      assert.match(await ask("PreToolUse", use("refund", "1")), /deny.*not allowed here; allowed: ."login/s);
      for (const [name, id] of [["login", "2"], ["logout", "3"]]) {
        assert.equal(await ask("PreToolUse", use(name, id)), "");
        if (id === "2") assert.match(await ask("Stop", { last_assistant_message: "Done." }), /block/);
        assert.equal(await ask("PostToolUse", { ...use(name, id), tool_response: "did " + name }), "");
      }
      assert.equal(await ask("Stop", { last_assistant_message: "Done." }), "");
    };
  }
}
checks["no example ran a command of a name"] = () => assert.rejects(access("pwned"));
export default checks;
