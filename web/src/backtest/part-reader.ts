import { Unzip, UnzipInflate } from "fflate";
import type { BacktestPart } from "../core/wire.js";

/** The largest text, in characters, that is judged as one part. */
const MAX_PART = 64 << 20;
/** The number of characters from which the core decides whether each line is a run. */
const BEGINNING = 64 << 10;

/** Decides from the beginning of a file whether each of its lines is a run. */
export type LinesAreRuns = (beginning: string) => Promise<boolean>;

/** Reads the separately judged parts of a file: its text, its lines, or the parts of each file in an archive. */
export async function* partsOf(file: File, linesAreRuns: LinesAreRuns): AsyncGenerator<BacktestPart> {
  const name = file.webkitRelativePath === "" ? file.name : file.webkitRelativePath;
  if (/\.zip$/i.test(name)) {
    yield* archived(file, name, linesAreRuns);
    return;
  }
  const packed = /\.gz$/i.test(name);
  yield* textParts(
    name,
    packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream(),
    linesAreRuns,
  );
}

/** Reads the files of an archive, one after the other. */
async function* archived(file: File, name: string, linesAreRuns: LinesAreRuns): AsyncGenerator<BacktestPart> {
  const read: { readonly path: string; readonly chunks: Uint8Array[]; fault: string }[] = [];
  const unzip = new Unzip((entry) => {
    if (entry.name.endsWith("/") || /(^|\/)\.|^__MACOSX\//.test(entry.name)) return;
    const found = { path: `${name}/${entry.name}`, chunks: [] as Uint8Array[], fault: "" };
    entry.ondata = (error, chunk, final) => {
      if (error !== null) found.fault = error.message;
      else found.chunks.push(chunk);
      if (final || error !== null) read.push(found);
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  let entries = 0;
  async function* finished(): AsyncGenerator<BacktestPart> {
    for (let entry = read.shift(); entry !== undefined; entry = read.shift()) {
      entries++;
      if (entry.fault === "") yield* textParts(entry.path, entry.chunks, linesAreRuns);
      else yield { name: entry.path, text: "", fault: entry.fault };
    }
  }
  try {
    for await (const chunk of chunksOf(file.stream())) {
      unzip.push(chunk);
      yield* finished();
    }
    unzip.push(new Uint8Array(), true);
    yield* finished();
  } catch (reason) {
    yield { name, text: "", fault: `not a readable archive: ${String(reason)}` };
    return;
  }
  if (entries === 0) yield { name, text: "", fault: "an archive without files" };
}

/** Reads a text, line by line if each line is a run. */
async function* textParts(
  name: string,
  stream: ReadableStream<Uint8Array> | readonly Uint8Array[],
  linesAreRuns: LinesAreRuns,
): AsyncGenerator<BacktestPart> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let byLine: boolean | null = null;
  let [line, runs] = [0, 0];
  const lineParts = function* (final: boolean): Generator<BacktestPart> {
    const lines = text.split("\n");
    text = final ? "" : (lines.pop() ?? "");
    for (const one of lines) {
      if (one.trim() !== "") yield { name, text: one.trim(), line, runs: runs++, alone: true };
      line++;
    }
  };
  try {
    for await (const chunk of chunksOf(stream)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_PART) throw new Error("longer than 64 MiB; split it, or write one run on each line");
      if (byLine === null && text.length >= BEGINNING) byLine = await linesAreRuns(text.slice(0, BEGINNING));
      if (byLine === true) yield* lineParts(false);
    }
    text += decoder.decode();
  } catch (reason) {
    const fault = reason instanceof TypeError ? "not a text in UTF-8, or damaged" : String(reason);
    yield { name, text: "", line, runs, alone: byLine === true, fault };
    return;
  }
  byLine ??= await linesAreRuns(text);
  if (byLine) yield* lineParts(true);
  else yield { name, text };
}

/** Iterates over a stream. Streams are not asynchronous iterators in every browser. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  if (!(stream instanceof ReadableStream)) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
