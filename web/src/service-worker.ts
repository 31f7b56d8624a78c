// Keeps the site for offline use. All files of a version are stored before that version becomes
// current, so that no page mixes two versions. Online, documents come from the network, so the newest
// version is shown; the names of their parts contain hashes, so parts of two versions cannot be confused.
// The files of the previous version stay for open pages.
//
// The documentation and rarely used parts are stored on first use, because they are not part of a
// first visit. Only files of this version are stored, checked by their hashes, so that a page of a
// newer version is never stored with this one.
//
// The build inserts the list of files. A version without files is the off switch: it deletes
// everything and unregisters itself.

/** Values from the build. */
declare const VERSION: string;
declare const FILES: readonly string[];
/** Files stored on first use, with the start of their SHA-256. */
declare const LATER: Readonly<Record<string, string>>;
/** Modules compressed by brotli and by gzip; a page uses one of both files, depending on the host. */
declare const MODULES: readonly { readonly br: string; readonly gz: string }[];
/** Large modules that are stored on first use. */
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
/** The order of versions, the newest last. */
const ORDER = `${PREFIX}order`;
/** Milliseconds to wait for the network before a stored document is shown. */
const PATIENCE = 4_000;

/** The folder of the documentation. */
const DOCS = "docs/";

const off = FILES.length === 0;

worker.addEventListener("install", (event) => event.waitUntil(off ? end() : install()));
worker.addEventListener("activate", (event) => event.waitUntil(off ? end() : activate()));
if (off) {
  // A page that registers while others are open cancels the unregistration.
  worker.addEventListener("message", (event) => event.waitUntil(end()));
} else {
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || request.headers.has("range") || !request.url.startsWith(worker.registration.scope))
      return;
    event.respondWith(request.mode === "navigate" ? page(event) : part(event));
  });
}

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Files whose names contain a hash may come from the browser's cache; all others are fetched again.
  await Promise.all(
    FILES.map(async (file) =>
      cache.put(address(file), await whole(address(file), file.startsWith("assets/") ? "default" : "no-cache")),
    ),
  );
  for (const { br, gz } of MODULES) {
    const packed = await fetch(address(br));
    if (packed.ok && packed.headers.get("content-encoding") === "br") {
      await cache.put(address(br), packed);
      continue;
    }
    // This host omits the content encoding, so the page uses the other packing.
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

/** Deletes everything at once: the previous worker may delay the activation of this one. */
async function end(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
  void worker.registration.unregister(); // not awaited: it waits for this event
  await worker.skipWaiting();
}

/** Answers a document request: from the network, or offline from storage. */
async function page(event: Asked): Promise<Response> {
  const { request } = event;
  const kept = await found(request);
  const newest = fetch(request);
  // Readers of the documentation often read several pages, so all of them are stored.
  if (pathOf(request).startsWith(DOCS))
    event.waitUntil(newest.then((answer) => (answer.ok ? keepLater(DOCS) : undefined)).catch(() => {}));
  if (kept === undefined) return newest;
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept.clone()), PATIENCE));
  return Promise.race([newest.catch(() => kept.clone()), late]);
}

let keeping: Promise<void> | undefined;

/** Stores the missing files whose paths begin with a prefix, one after the other. */
function keepLater(beginning: string): Promise<void> {
  const keep = async (): Promise<void> => {
    const cache = await ownCache();
    if (cache === undefined) return;
    for (const name of Object.keys(LATER)) {
      if (!name.startsWith(beginning) || (await cache.match(address(name))) !== undefined) continue;
      const answer = await whole(address(name), "no-cache");
      const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer()));
      // The site has a newer version; the next service worker stores it.
      if ([...sum.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== LATER[name]) return;
      await cache.put(address(name), answer);
    }
  };
  keeping = (keeping ?? Promise.resolve()).then(keep).catch(() => {});
  return keeping;
}

/** Answers a part's request. Names contain hashes, so a stored file is correct. */
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

/** Stores a solver while it arrives: unpacked, with its content encoding. */
async function solver(event: Asked, path: string): Promise<Response> {
  const answer = await fetch(event.request);
  const packed = path.startsWith("module/br/");
  let copy: Response | undefined;
  if (answer.ok && (!packed || answer.headers.get("content-encoding") === "br")) copy = answer.clone();
  // If the host omits the content encoding, the page uses the other packing, also offline.
  else if (packed && (answer.ok || answer.status === 404)) copy = new Response("", { status: 404 });
  if (copy !== undefined) {
    const kept = copy;
    event.waitUntil(
      ownCache()
        .then((cache) => cache?.put(address(path), kept))
        .catch(() => {}),
    );
  }
  return answer;
}

/**
 * Opens the cache of this version; undefined after the off switch has deleted it, because opening
 * would restore it while a page is still open.
 */
async function ownCache(): Promise<Cache | undefined> {
  return (await caches.has(CACHE)) ? caches.open(CACHE) : undefined;
}

/** Returns a stored file of this version or of the previous one. */
async function found(request: Request): Promise<Response | undefined> {
  const url = new URL(request.url);
  url.hash = "";
  if (request.mode === "navigate") {
    url.search = "";
    if (url.pathname.endsWith("/")) url.pathname += "index.html";
  }
  // Opening a cache would create it, and restore a deleted one.
  const own = await caches.match(url.href, { cacheName: CACHE });
  const kept = own ?? (await caches.match(url.href));
  // Hosts also serve pages without their ending.
  if (kept !== undefined || request.mode !== "navigate" || /\.\w+$/.test(url.pathname)) return kept;
  return (await caches.match(`${url.href}.html`, { cacheName: CACHE })) ?? (await caches.match(`${url.href}.html`));
}

function pathOf(request: Request): string {
  return request.url.slice(worker.registration.scope.length);
}

function address(file: string): string {
  return new URL(file, worker.registration.scope).href;
}
