/** The fields of a request that only the run may set; see ReservedFields in core/llm. */
const reserved = [
  "contents",
  "input",
  "instructions",
  "messages",
  "model",
  "n",
  "prompt",
  "raw",
  "stream",
  "system",
  "systemInstruction",
  "system_instruction",
  "toolConfig",
  "tool_choice",
  "tool_config",
  "tools",
];

/** Matches headers that the browser, the key field or the wire format sets. */
const forbidden =
  /^(accept-charset|accept-encoding|access-control-.*|authorization|connection|content-.*|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-http-method(-override)?|x-method-override)$/;

const LONGEST_HEADER = 4096;

/** Returns the object in a text as body, or the fault with its place; neither for an empty text. */
export function extraBody(text: string): { readonly body?: object; readonly fault?: string } {
  if (text.trim() === "") return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (reason) {
    return { fault: `This is not JSON: ${reason instanceof Error ? reason.message : String(reason)}.` };
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return { fault: 'Line 1, column 1: expected an object, such as {"seed": 1}.' };
  const name = reserved.find((name) => Object.hasOwn(body, name));
  return name === undefined ? { body } : { fault: `${placeOf(text, name)}: the run sets “${name}” itself; remove it.` };
}

function placeOf(text: string, name: string): string {
  const at = Math.max(text.search(new RegExp(`"${name}"\\s*:`)), 0);
  const lines = text.slice(0, at).split("\n");
  return `Line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Returns the reason why a header cannot be sent, or null. The reason does not contain the value. */
export function headerFault(name: string, value: string): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return "A header’s name has only letters, digits and hyphens.";
  if (name === "authorization") return "The key above is sent as “authorization”; set it there.";
  if (forbidden.test(name)) return `Pages cannot set “${name}”; choose another header.`;
  if (!/^[\x20-\x7e]+$/.test(value) || value.length > LONGEST_HEADER)
    return `A header’s value has 1 to ${LONGEST_HEADER} ASCII characters in one line.`;
  return null;
}
