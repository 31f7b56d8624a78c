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
