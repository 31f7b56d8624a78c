/** Our only Trusted Types policy: addresses of our own workers. */
interface ScriptURLPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptURLPolicy;
}

const sameOrigin = (url: string): string => {
  if (new URL(url, document.baseURI).origin !== location.origin) {
    throw new TypeError(`${url} is not on this site`);
  }
  // In a sandboxed frame without an origin, the site's scripts are cross-origin, so they cannot be started as
  // workers; a data: script that imports one can.
  return self.origin === "null" ? `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(url)};`)}` : url;
};

const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
const policy: ScriptURLPolicy = factory?.createPolicy("stile", { createScriptURL: sameOrigin }) ?? {
  createScriptURL: sameOrigin,
};

/** Returns the address of a script of this site as a trusted value. */
export function scriptAddress(url: string): string {
  return policy.createScriptURL(url);
}

/** Starts a worker of this site. */
export function startWorker(url: string, name: string): Worker {
  return new Worker(policy.createScriptURL(url), { type: "module", name });
}
