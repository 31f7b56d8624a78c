/** What of an element's looks its picture in a file has to carry along. */
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "font-style"] as const;
/** A picture of pixels is drawn at twice its size, for screens that are as fine. */
const SCALE = 2;
/** Longer sides are not drawn by all browsers. */
const MAX_SIDE = 16_000;

/** A drawing as a file of its own: its looks, which are the page's, go along. */
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
  // What is there to be pointed at only is not seen.
  for (const part of copy.querySelectorAll("path")) if (part.getAttribute("stroke") === "rgba(0, 0, 0, 0)" || part.getAttribute("stroke") === "transparent") part.remove();
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const { width, height } = sizeOf(drawn);
  for (const [name, value] of Object.entries({ width: String(width), height: String(height), fill: getComputedStyle(drawn.closest(".drawing-pane, .embed-drawing") ?? drawn).backgroundColor })) ground.setAttribute(name, value);
  copy.prepend(ground);
  for (const name of ["class", "style", "role", "tabindex"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("role", "img");
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

function sizeOf(drawn: SVGElement): { readonly width: number; readonly height: number } {
  return { width: Number(drawn.getAttribute("width")) || 1, height: Number(drawn.getAttribute("height")) || 1 };
}

/** The same as pixels. The error is a sentence. */
export async function drawingPixels(drawn: SVGElement): Promise<Blob> {
  const { width, height } = sizeOf(drawn);
  if (Math.max(width, height) * SCALE > MAX_SIDE) throw new Error("this drawing is too large for pixels; take it as SVG");
  const address = URL.createObjectURL(new Blob([drawingFile(drawn)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * SCALE);
    canvas.height = Math.ceil(height * SCALE);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob === null ? reject(new Error("this browser made no picture of the drawing")) : resolve(blob)), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
