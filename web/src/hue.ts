/** How many hues tokens.css has for an agent's states. */
const HUES = 8;

/** The number of a state's hue; states are in the order of the spec, which gives them theirs. */
export function hueOf(states: readonly string[], state: string): number {
  const at = states.indexOf(state);
  return (at < 0 ? HUES - 1 : at) % HUES;
}
