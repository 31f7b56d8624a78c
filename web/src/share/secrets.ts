import type { File } from "../core/wire.js";

/** A text that looks like a key and should not be shared. */
export interface Secret {
  readonly file: string;
  readonly line: number;
  /** The kind of key. */
  readonly kind: string;
  /** The start and the end of the text, by which a person recognises it. */
  readonly hint: string;
}

/** The kinds of keys with their patterns, which follow the issuers' rules. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ["an Anthropic key", /\bsk-ant-[\w-]{20,}/g],
  ["an OpenRouter key", /\bsk-or-[\w-]{20,}/g],
  ["an OpenAI key", /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{20,}/g],
  ["a Google key", /\bAIza[\w-]{35}/g],
  ["a Groq key", /\bgsk_\w{20,}/g],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{20,}/g],
  ["a GitHub token", /\b(?:gh[opusr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})/g],
  ["an AWS key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["a Slack token", /\bxox[abeoprs]-[\w-]{10,}/g],
  ["a Stripe key", /\b[rs]k_(?:live|test)_\w{16,}/g],
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g],
  ["a signed token", /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
  ["an authorization header", /\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+[\w.~+/=-]{16,}/gi],
  ["a password in an address", /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']+:[^\s/@"']{3,}@/gi],
];

/** The maximum number of listed keys. */
const MAX_SECRETS = 20;

/** Finds keys in the files by their shape; nothing is sent anywhere. */
export function findSecrets(files: readonly File[]): Secret[] {
  const out: Secret[] = [];
  for (const { name, text } of files) {
    const taken: [number, number][] = [];
    for (const [kind, shape] of shapes) {
      for (const match of text.matchAll(shape)) {
        const [from, to] = [match.index, match.index + match[0].length];
        if (taken.some(([f, t]) => from < t && f < to)) continue;
        taken.push([from, to]);
        out.push({ file: name, line: text.slice(0, from).split("\n").length, kind, hint: hintOf(match[0]) });
        if (out.length === MAX_SECRETS) return out;
      }
    }
  }
  return out;
}

function hintOf(secret: string): string {
  return secret.startsWith("-----") ? secret : `${secret.slice(0, 7)}…${secret.slice(-2)}`;
}
