/** The amounts of thinking that a request can ask for, with their labels. */
export const efforts: readonly (readonly [value: string, label: string])[] = [
  ["none", "none"],
  ["minimal", "minimal"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "highest"],
];
