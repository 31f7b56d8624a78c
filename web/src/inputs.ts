// What an event tells of the field that it happened in.

/** The text of a field, or the choice of a list. */
export function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
}

/** Whether a box is ticked. */
export function checkedOf(event: Event): boolean {
  return (event.target as HTMLInputElement).checked;
}

/** A whole number above 0; 0 for anything else, an empty field among it. */
export function whole(event: Event): number {
  const n = Math.floor(Number(valueOf(event)));
  return Number.isSafeInteger(n) && n > 0 ? n : 0;
}

/** How a field shows such a number: nothing for 0. */
export function numberText(n: number): string {
  return n === 0 ? "" : String(n);
}
