// A plain JavaScript worker with about the functions of wasm/worker in the absence of errors, as
// a baseline for measurements: it stores a text under its hash, redirects to it, embeds it, and
// relays. It checks nothing. It also prints, so that a test can check that output is detected.
const site = "https://stile.test/";

async function idOf(text) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...sum.subarray(0, 18))).replaceAll("+", "-").replaceAll("/", "_");
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const [, name, ...rest] = url.pathname.split("/");
    switch (name) {
      case "s": {
        if (request.method === "POST") {
          await env.SHARE_LIMIT.limit({ key: request.headers.get("CF-Connecting-IP") ?? "" });
          const text = await request.text();
          const id = await idOf(text);
          await env.LINKS.put(id, text);
          return Response.json({ id, url: `${url.origin}/s/${id}` });
        }
        const fragment = await env.LINKS.get(rest[0]);
        if (fragment === null) return Response.json({ code: "share.unknown", message: "unknown" }, { status: 404 });
        return new Response(null, { status: 302, headers: { Location: site + fragment } });
      }
      case "oembed": {
        const id = new URL(url.searchParams.get("url")).pathname.slice("/s/".length);
        return Response.json({ version: "1.0", type: "rich", html: `<iframe src="${site}embed${await env.LINKS.get(id)}"></iframe>` });
      }
      case "relay": {
        await env.RELAY_LIMIT.limit({ key: request.headers.get("CF-Connecting-IP") ?? "" });
        return fetch(`https://${rest.join("/")}`, { method: request.method, headers: { "Content-Type": "application/json" }, body: request.method === "POST" ? await request.text() : undefined, redirect: "manual" });
      }
      case "print":
        console.log(url.searchParams.get("text"));
    }
    return Response.json({ ok: true });
  },
};
