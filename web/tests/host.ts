import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";

/** A host of the site whose files can be changed, and which can go offline. */
export class Host {
  readonly address: string;
  readonly changed = new Map<string, (text: string) => string>();
  /** The paths that were requested and answered. */
  readonly asked = new Set<string>();
  down = false;

  private constructor(
    private readonly server: Server,
    site: string,
  ) {
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on("request", (request, response) => {
      if (this.down) return void request.socket.destroy();
      const path = new URL(request.url ?? "/", this.address).pathname.slice(1);
      fetch(new URL(path, site), { headers: { "accept-encoding": "identity" } }).then(
        async (answer) => {
          this.asked.add(path);
          const change = this.changed.get(path);
          // Node has decompressed the site's files; the page handles it like a host without
          // compression.
          const packed = path.startsWith("module/br/");
          const body =
            change === undefined ? Buffer.from(await answer.arrayBuffer()) : Buffer.from(change(await answer.text()));
          const headers: IncomingHttpHeaders = Object.fromEntries(
            [...answer.headers].filter(
              ([name]) =>
                !["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"].includes(name),
            ),
          );
          response.writeHead(packed ? 404 : answer.status, headers).end(packed ? "" : body);
        },
        () => request.socket.destroy(),
      );
    });
  }

  /** Starts a host at its own address that serves the site of another. */
  static async of(site: string): Promise<Host> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Host(server, site);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Waits until the service worker keeps the site and serves the page's files. */
export async function kept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
      );
  });
}
