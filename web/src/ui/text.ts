/**
 * Turns a message of the core, which begins in lower case, into a sentence. A host's name at the start of the
 * message stays unchanged.
 */
export function sentence(message: string): string {
  const text = /^[\w-]+[.:]\w/.test(message) ? message : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Returns a number with its noun in singular or plural. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
