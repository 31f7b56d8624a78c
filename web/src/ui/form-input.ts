// Values of form fields from events.

/** Returns the text of a field, or the choice of a list. */
export function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
}

/** Returns whether a checkbox is checked. */
export function checkedOf(event: Event): boolean {
  return (event.target as HTMLInputElement).checked;
}

/** Returns a positive integer; 0 for other input, also for an empty field. */
export function whole(event: Event): number {
  const n = Math.floor(Number(valueOf(event)));
  return Number.isSafeInteger(n) && n > 0 ? n : 0;
}

/** Formats a number for a field; 0 becomes an empty text. */
export function numberText(n: number): string {
  return n === 0 ? "" : String(n);
}
