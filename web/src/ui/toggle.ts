/** Adds an item to a list, or removes it. */
export function toggled<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((i) => i !== item) : [...list, item];
}

/** Like toggled, but the result has the order of all items. */
export function toggledInOrder<T>(list: readonly T[], item: T, all: readonly T[]): readonly T[] {
  const chosen = toggled(list, item);
  return all.filter((i) => chosen.includes(i));
}
