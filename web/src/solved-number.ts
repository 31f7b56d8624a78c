/** The size of a solver's value: a whole or decimal number, a fraction, true or false. */
export function numberOf(value: string): number {
  if (value === "true") return 1;
  const [over, under] = value.split("/");
  const n = under === undefined ? Number(value) : Number(over) / Number(under);
  return Number.isFinite(n) ? n : 0;
}

/** A sum of such values as a short text. */
export function shortNumber(n: number): string {
  return Number.isInteger(n) ? n.toLocaleString("en") : n.toLocaleString("en", { maximumFractionDigits: 3 });
}

/** A count of bytes in words. */
export function bytes(n: number): string {
  return n < 1000 ? `${n} bytes` : n < 999_500 ? `${Math.round(n / 1000)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

/** A time in words. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
