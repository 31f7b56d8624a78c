/** Downloads a text as a file. */
export function saveText(name: string, text: string, type = "text/plain"): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Downloads bytes as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Returns a title as the name of a file: letters and digits, joined by hyphens. */
export function fileName(title: string): string {
  return title
    .replace(/\.[a-z]+$/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .toLowerCase();
}
