/** Number of hues for states in tokens.css. */
const HUES = 8;

/** Returns the number of a state's hue, which depends on the order of the states in the spec. */
export function hueOf(states: readonly string[], state: string): number {
  const at = states.indexOf(state);
  return (at < 0 ? HUES - 1 : at) % HUES;
}
