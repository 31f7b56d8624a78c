/** Returns bytes in base64, as the protocol requires. */
export function base64(buffer: ArrayBuffer | Uint8Array): string {
  const bytes = buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
  const own = (bytes as { toBase64?(): string }).toBase64?.(); // newer browsers encode any number of bytes in one call
  if (own !== undefined) return own;
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
