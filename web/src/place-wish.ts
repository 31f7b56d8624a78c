import type { File } from "./wire.js";

/** A place of a file that is to be shown. */
export interface PlaceWish {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Tells whoever listens above an element which place the person wants to see. */
export function wishPlace(element: HTMLElement, detail: PlaceWish): void {
  element.dispatchEvent(new CustomEvent<PlaceWish>("place-wish", { detail, bubbles: true }));
}

/** Tells whoever listens above an element which files the person wants to keep in the workspace. */
export function wishFiles(element: HTMLElement, detail: readonly File[]): void {
  element.dispatchEvent(new CustomEvent<readonly File[]>("files-wish", { detail, bubbles: true }));
}

/** Where a part of a text that a run was given stands by now, or null where it is gone. */
export function placeNow(files: readonly File[], name: string, text: string, from: number, to: number): PlaceWish | null {
  const now = files.find((f) => f.name === name)?.text;
  if (now === undefined) return null;
  if (now === text) return { name, from, to };
  const at = now.indexOf(text.slice(from, to));
  return at < 0 ? null : { name, from: at, to: at + to - from };
}
