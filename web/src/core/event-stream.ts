/** The media type of AWS's binary streams. */
export const EVENT_STREAM = "application/vnd.amazon.eventstream";

/** Sizes in bytes: of the lengths of a frame and its headers with a checksum, and of the frame's own checksum. */
const PRELUDE = 12;
const CHECKSUM = 4;
const MAX_FRAME = 16 << 20;

/** The types of header values that begin with their size; the others have fixed sizes. */
const BYTES = 6;
const TEXT = 7;
const sizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

/**
 * Rewrites AWS's binary stream as the text that the core reads, one line of data per frame:
 * {"contentBlockDelta":{…}}. A corrupt frame becomes a line that reports the fault, and ends the stream.
 */
export class EventStream {
  #bytes = new Uint8Array();
  #frames = 0;
  /** Whether a frame was corrupt. */
  failed = false;

  /** Returns the lines of the frames that a chunk of the stream completes. */
  write(piece: Uint8Array): string {
    const bytes = new Uint8Array(this.#bytes.length + piece.length);
    bytes.set(this.#bytes);
    bytes.set(piece, this.#bytes.length);
    let text = "";
    let at = 0;
    while (!this.failed && bytes.length - at >= PRELUDE) {
      const view = new DataView(bytes.buffer, at);
      const size = view.getUint32(0);
      const fault = preludeFault(bytes.subarray(at, at + PRELUDE), view);
      if (fault === null && bytes.length - at < size) break;
      this.#frames++;
      text += `data: ${fault === null ? this.#line(bytes.subarray(at, at + size)) : this.#corrupt(fault)}\n\n`;
      at += size;
    }
    this.#bytes = bytes.slice(at);
    return text;
  }

  #corrupt(fault: string): string {
    this.failed = true;
    return `corrupt frame ${this.#frames} of the binary stream: ${fault}`;
  }

  #line(frame: Uint8Array): string {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
    const end = frame.length - CHECKSUM;
    if (view.getUint32(end) !== crc32(frame.subarray(0, end))) return this.#corrupt("its checksum is wrong");
    const start = PRELUDE + view.getUint32(4);
    const headers = headersOf(frame.subarray(PRELUDE, start));
    if (headers === null) return this.#corrupt("its headers are invalid");
    let payload = new TextDecoder().decode(frame.subarray(start, end)).replaceAll(/[\r\n]/gu, " ");
    let name = headers.get(":event-type") ?? "";
    switch (headers.get(":message-type")) {
      case "exception":
        name = headers.get(":exception-type") ?? "";
        break;
      case "error":
        name = "error";
        payload = JSON.stringify({
          code: headers.get(":error-code") ?? "",
          message: headers.get(":error-message") ?? "",
        });
    }
    return `{${JSON.stringify(name)}:${payload}}`;
  }
}

/** Returns the fault of the lengths of a frame, or null. */
function preludeFault(prelude: Uint8Array, view: DataView): string | null {
  const [size, headers] = [view.getUint32(0), view.getUint32(4)];
  if (view.getUint32(8) !== crc32(prelude.subarray(0, 8))) return "the checksum of its prelude is wrong";
  return size < PRELUDE + CHECKSUM || size > MAX_FRAME || headers > size - PRELUDE - CHECKSUM
    ? "its lengths are invalid"
    : null;
}

/** Returns the headers whose values are texts, or null if they are invalid. */
function headersOf(bytes: Uint8Array): Map<string, string> | null {
  const headers = new Map<string, string>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  for (let at = 0; at < bytes.length;) {
    const named = at + 1 + view.getUint8(at);
    if (named >= bytes.length) return null;
    const name = text(at + 1, named);
    const kind = view.getUint8(named);
    at = named + 1;
    let size = sizes[kind];
    if (size === undefined) {
      if ((kind !== TEXT && kind !== BYTES) || at + 2 > bytes.length) return null;
      size = view.getUint16(at);
      at += 2;
    }
    if (at + size > bytes.length) return null;
    if (kind === TEXT) headers.set(name, text(at, at + size));
    at += size;
  }
  return headers;
}

/** Returns the CRC-32 of bytes (ISO 3309). */
function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
