/** Returns the digit from 1 to 9 that a key event chooses; 0 for another key or if a field receives the event. */
export function digitOf(event: KeyboardEvent, element: HTMLElement): number {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !/^[1-9]$/.test(event.key)) return 0;
  const target = event.target as HTMLElement;
  if (
    target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=range])")
  )
    return 0;
  return element.checkVisibility() && document.querySelector("dialog[open]") === null ? Number(event.key) : 0;
}

/** Focuses a part of an element, unless the person works somewhere else. */
export function takeFocus(element: HTMLElement, selector: string): void {
  const at = document.activeElement;
  if (at === null || at === document.body || at.closest("stile-run") !== null)
    element.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}
