// Keeps the site for when there is no network. All files of a version are kept
// together before that version counts, so that no page is ever made of two. While
// there is a network documents come from it, and with them the newest version: their
// parts are named by what is in them, so that they cannot be mistaken for others.
// The files of the version before stay for pages that are open still.
//
// The documentation, and what few people choose, is kept once it is wanted: it is no
// part of a first visit. Of it, too, only what this version has is kept, told by its
// contents, so that a page that a newer version brought is never kept with this one.
//
// The build puts in what a version is made of. A version without files is the switch
// that ends it all: it forgets everything and unregisters itself.

/** What the build knows. */
declare const VERSION: string;
declare const FILES: readonly string[];
/** What is kept once it is wanted, with the beginning of its SHA-256. */
declare const LATER: Readonly<Record<string, string>>;
/** Modules in their two packings, of which a host serves one. */
declare const MODULES: readonly { readonly br: string; readonly gz: string }[];
/** Modules of some megabytes that are kept once they are wanted. */
declare const SOLVERS: readonly string[] | null;

interface Waiting extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface Asked extends Waiting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as {
  readonly registration: { readonly scope: string; unregister(): Promise<boolean> };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate" | "message", f: (event: Waiting) => void): void;
  addEventListener(type: "fetch", f: (event: Asked) => void): void;
};

const PREFIX = "stile-";
const CACHE = PREFIX + VERSION;
/** The order in which versions came, the newest last. */
const ORDER = `${PREFIX}order`;
/** How long a document may take before the one that is kept is shown. */
const PATIENCE = 4_000;

/** The folder of the documentation. */
const DOCS = "docs/";

const off = FILES.length === 0;

worker.addEventListener("install", (event) => event.waitUntil(off ? end() : install()));
worker.addEventListener("activate", (event) => event.waitUntil(off ? end() : activate()));
if (off) {
  // A page that registers while others are open still takes back that it was unregistered.
  worker.addEventListener("message", (event) => event.waitUntil(end()));
} else {
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || request.headers.has("range") || !request.url.startsWith(worker.registration.scope)) return;
    event.respondWith(request.mode === "navigate" ? page(event) : part(event));
  });
}

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // What is named by its contents may come from the browser's own cache, all else has to be new.
  await Promise.all(FILES.map(async (file) => cache.put(address(file), await whole(address(file), file.startsWith("assets/") ? "default" : "no-cache"))));
  for (const { br, gz } of MODULES) {
    const packed = await fetch(address(br));
    if (packed.ok && packed.headers.get("content-encoding") === "br") {
      await cache.put(address(br), packed);
      continue;
    }
    // This host does not say how the file is packed: the page takes the other then.
    await packed.body?.cancel();
    await cache.put(address(br), new Response("", { status: 404 }));
    await cache.put(address(gz), await whole(address(gz), "default"));
  }
  await worker.skipWaiting();
}

async function whole(url: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(url, { cache });
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return response;
}

async function activate(): Promise<void> {
  const order = await caches.open(ORDER);
  const known = ((await (await order.match(address("order")))?.json()) ?? []) as string[];
  const kept = [...known.filter((name) => name !== CACHE), CACHE].slice(-2);
  await order.put(address("order"), new Response(JSON.stringify(kept)));
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== ORDER && !kept.includes(name)) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** Forgets everything, at once: the worker before may have much to do until this one is let in. */
async function end(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
  void worker.registration.unregister(); // it waits for what waits for this
  await worker.skipWaiting();
}

/** A document: the newest, or without a network the one that is kept. */
async function page(event: Asked): Promise<Response> {
  const { request } = event;
  const kept = await found(request);
  const newest = fetch(request);
  // Who reads a page of the documentation reads another.
  if (pathOf(request).startsWith(DOCS)) event.waitUntil(newest.then((answer) => (answer.ok ? keepLater(DOCS) : undefined)).catch(() => {}));
  if (kept === undefined) return newest;
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept.clone()), PATIENCE));
  return Promise.race([newest.catch(() => kept.clone()), late]);
}

let keeping: Promise<void> | undefined;

/** Keeps what is not yet of the files whose names begin so, one after the other. */
function keepLater(beginning: string): Promise<void> {
  const keep = async (): Promise<void> => {
    if (!(await caches.has(CACHE))) return;
    const cache = await caches.open(CACHE);
    for (const name of Object.keys(LATER)) {
      if (!name.startsWith(beginning) || (await cache.match(address(name))) !== undefined) continue;
      const answer = await whole(address(name), "no-cache");
      const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer()));
      // Another version is out there: the next service worker keeps it.
      if ([...sum.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== LATER[name]) return;
      await cache.put(address(name), answer);
    }
  };
  keeping = (keeping ?? Promise.resolve()).then(keep).catch(() => {});
  return keeping;
}

/** A part of a document. What is kept under its name is what was asked for. */
async function part(event: Asked): Promise<Response> {
  const { request } = event;
  const path = pathOf(request);
  const named = path.startsWith("assets/") || path.startsWith("module/");
  const kept = await found(request);
  if (named) {
    if (kept === undefined && SOLVERS?.includes(path) === true) return solver(event, path);
    if (kept === undefined && path in LATER) event.waitUntil(keepLater(path));
    return kept ?? fetch(request);
  }
  return fetch(request).catch((reason: unknown) => {
    if (kept !== undefined) return kept;
    throw reason;
  });
}

/** A solver, kept as it arrives: unpacked, with the word of its packing. */
async function solver(event: Asked, path: string): Promise<Response> {
  const answer = await fetch(event.request);
  const packed = path.startsWith("module/br/");
  let copy: Response | undefined;
  if (answer.ok && (!packed || answer.headers.get("content-encoding") === "br")) copy = answer.clone();
  // A host that does not say how the file is packed has the page take the other one, without a network as well.
  else if (packed && (answer.ok || answer.status === 404)) copy = new Response("", { status: 404 });
  if (copy !== undefined) {
    const kept = copy;
    event.waitUntil(caches.open(CACHE).then((cache) => cache.put(address(path), kept)).catch(() => {}));
  }
  return answer;
}

/** What is kept, of this version or of the one before. */
async function found(request: Request): Promise<Response | undefined> {
  const url = new URL(request.url);
  url.hash = "";
  if (request.mode === "navigate") {
    url.search = "";
    if (url.pathname.endsWith("/")) url.pathname += "index.html";
  }
  // Opening a cache would make it, and bring back one that was forgotten meanwhile.
  const own = await caches.match(url.href, { cacheName: CACHE });
  const kept = own ?? (await caches.match(url.href));
  // Hosts serve pages without their ending, too.
  if (kept !== undefined || request.mode !== "navigate" || /\.\w+$/.test(url.pathname)) return kept;
  return (await caches.match(`${url.href}.html`, { cacheName: CACHE })) ?? (await caches.match(`${url.href}.html`));
}

function pathOf(request: Request): string {
  return request.url.slice(worker.registration.scope.length);
}

function address(file: string): string {
  return new URL(file, worker.registration.scope).href;
}
