import { whenIdle } from "./idle.js";
import { scriptAddress } from "./trusted.js";

/** The script that keeps the site for when there is no network. */
const SCRIPT = "service-worker.js";

/**
 * Has the site kept for when there is no network, once the page has nothing better to
 * do. Without service workers, or where they are forbidden, all is as it was.
 */
export function keepForOffline(): void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (workers === undefined || !isSecureContext || window.top !== window) return;
  const register = (): void => {
    // The document's own address decides the scope, so that it may lie in any folder.
    workers.register(scriptAddress(new URL(SCRIPT, document.baseURI).href), { updateViaCache: "none" })
      .then((registration) => registration.active?.postMessage("registered")).catch(() => {});
  };
  whenIdle(register);
}
