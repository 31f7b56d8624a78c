import type { Workspace } from "../store/state.js";

/** The content of the first response, including what a person has changed in it. */
export interface First {
  readonly workspace: Workspace;
  readonly edited: boolean;
  readonly drawing: SVGElement | null;
}

/** Reads the first response before the element replaces it. */
export function readFirst(element: HTMLElement): First {
  const { example, title, name } = element.dataset;
  const field = element.querySelector("textarea");
  const current = name ?? "untitled.cfg";
  return {
    workspace: {
      title: title ?? "Untitled",
      files: [{ name: current, text: field?.value ?? "" }],
      current,
      ...(example !== undefined && { example }),
    },
    edited: field !== null && field.value !== field.defaultValue,
    drawing: element.querySelector<SVGElement>("svg.drawing"),
  };
}
