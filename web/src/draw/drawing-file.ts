/** The style properties that are copied into a saved picture. */
const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
] as const;
/** The scale of bitmaps, for high-resolution screens. */
const SCALE = 2;
/** The maximum side of a bitmap in pixels; some browsers do not draw longer ones. */
const MAX_SIDE = 16_000;

/** Returns a drawing as a file, with the styles that the page defines. */
export function drawingFile(drawn: SVGElement): string {
  const copy = drawn.cloneNode(true) as SVGElement;
  const parts = [...drawn.querySelectorAll<SVGElement>("*")];
  for (const [i, part] of [...copy.querySelectorAll<SVGElement>("*")].entries()) {
    const original = parts[i];
    for (const name of ["role", "tabindex", "data-id", "class", "aria-label"]) part.removeAttribute(name);
    if (original === undefined || !["rect", "path", "text"].includes(part.localName)) continue;
    const looks = getComputedStyle(original);
    for (const name of LOOKS) {
      const value = looks.getPropertyValue(name);
      if (value !== "" && !(name === "stroke-dasharray" && value === "none")) part.setAttribute(name, value);
    }
  }
  // Invisible parts only serve as pointer targets.
  for (const part of copy.querySelectorAll("path"))
    if (part.getAttribute("stroke") === "rgba(0, 0, 0, 0)" || part.getAttribute("stroke") === "transparent")
      part.remove();
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const { width, height } = sizeOf(drawn);
  for (const [name, value] of Object.entries({
    width: String(width),
    height: String(height),
    fill: getComputedStyle(drawn.closest(".drawing-pane, .embed-drawing") ?? drawn).backgroundColor,
  }))
    ground.setAttribute(name, value);
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = drawn.getAttribute("aria-label");
  copy.prepend(title, ground);
  for (const name of ["class", "style", "role", "tabindex"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("role", "img");
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

function sizeOf(drawn: SVGElement): { readonly width: number; readonly height: number } {
  return { width: Number(drawn.getAttribute("width")) || 1, height: Number(drawn.getAttribute("height")) || 1 };
}

/** Returns a drawing as a bitmap. The error is a sentence. */
export async function drawingPixels(drawn: SVGElement): Promise<Blob> {
  const { width, height } = sizeOf(drawn);
  if (Math.max(width, height) * SCALE > MAX_SIDE)
    throw new Error("this drawing is too large for a bitmap; save it as SVG");
  const address = URL.createObjectURL(new Blob([drawingFile(drawn)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * SCALE);
    canvas.height = Math.ceil(height * SCALE);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error("this browser could not render the drawing")) : resolve(blob)),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
