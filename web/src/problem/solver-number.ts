/** Converts a solver's value into a number: an integer, decimal or fraction, or a Boolean. */
export function numberOf(value: string): number {
  if (value === "true") return 1;
  const [over, under] = value.split("/");
  const n = under === undefined ? Number(value) : Number(over) / Number(under);
  return Number.isFinite(n) ? n : 0;
}

/** Formats a sum of values. */
export function shortNumber(n: number): string {
  return Number.isInteger(n) ? n.toLocaleString("en") : n.toLocaleString("en", { maximumFractionDigits: 3 });
}

/** Formats a number of bytes. */
export function bytes(n: number): string {
  return n < 1000 ? `${n} bytes` : n < 999_500 ? `${Math.round(n / 1000)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

/** Formats a duration. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
