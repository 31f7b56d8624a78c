import type { File } from "../core/wire.js";

/** A place of a file to show. */
export interface PlaceRequest {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Asks an ancestor to show a place. */
export function requestPlace(element: HTMLElement, detail: PlaceRequest): void {
  element.dispatchEvent(new CustomEvent<PlaceRequest>("place-request", { detail, bubbles: true }));
}

/** Asks an ancestor to keep files in the workspace. */
export function requestFiles(element: HTMLElement, detail: readonly File[]): void {
  element.dispatchEvent(new CustomEvent<readonly File[]>("files-request", { detail, bubbles: true }));
}

/** Returns the current place of a part of a run's text, or null if it is gone. */
export function placeNow(
  files: readonly File[],
  name: string,
  text: string,
  from: number,
  to: number,
): PlaceRequest | null {
  const now = files.find((f) => f.name === name)?.text;
  if (now === undefined) return null;
  if (now === text) return { name, from, to };
  const at = now.indexOf(text.slice(from, to));
  return at < 0 ? null : { name, from: at, to: at + to - from };
}
