/** Number of hues for states in tokens.css. */
const HUES = 8;

/** Returns the hue of a state; the order of states in the spec sets it. */
export function hueOf(states: readonly string[], state: string): number {
  const at = states.indexOf(state);
  return (at < 0 ? HUES - 1 : at) % HUES;
}
