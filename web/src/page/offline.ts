import { whenIdle } from "../ui/when-idle.js";
import { scriptAddress } from "../core/trusted-types.js";

/** The service worker's script. */
const SCRIPT = "service-worker.js";

/**
 * Registers the service worker when the page is idle. If service workers are missing or forbidden,
 * nothing changes.
 */
export function keepForOffline(): void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (workers === undefined || !isSecureContext || window.top !== window) return;
  const register = (): void => {
    // The document's own address sets the scope, so the site may be in any folder.
    workers
      .register(scriptAddress(new URL(SCRIPT, document.baseURI).href), { updateViaCache: "none" })
      .then((registration) => registration.active?.postMessage("registered"))
      .catch(() => {});
  };
  whenIdle(register);
}
