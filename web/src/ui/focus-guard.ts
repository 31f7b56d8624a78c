/** Selects the elements that the Tab key can focus. */
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";

/**
 * Keeps the focus from being lost. If the focused element is removed, hidden or disabled, a browser
 * resets the focus to the page, and keyboard users start at the top again. This moves it to the
 * nearest element: the first focusable one in the innermost remaining ancestor.
 */
export function guardFocus(root: HTMLElement): void {
  /** The focused element and its ancestors, the innermost first. */
  let path: readonly Element[] = [];
  let asked = false;
  /**
   * Whether the last input came from the keyboard. Moving the focus after a touch might open an on-screen
   * keyboard.
   */
  let byKeys = false;
  const record = (): void => {
    const found: Element[] = [];
    for (let at = document.activeElement; at !== null; at = at.parentElement) found.push(at);
    if (document.activeElement !== document.body) path = found;
  };
  document.addEventListener("keydown", () => (byKeys = true), true);
  document.addEventListener("pointerdown", () => (byKeys = false), true);
  record();
  document.addEventListener("focusin", record);
  const look = (): void => {
    asked = false;
    const [last, ...around] = path;
    // After a click outside, the element still exists, and the focus is not lost.
    if (
      (document.activeElement !== document.body && document.activeElement !== null) ||
      last === undefined ||
      !byKeys ||
      can(last)
    )
      return;
    for (const part of around) {
      if (!part.isConnected || !part.checkVisibility()) continue;
      const next = [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
        (element) => can(element) && element.tabIndex >= 0,
      );
      if (next === undefined) continue;
      next.focus();
      return;
    }
  };
  new MutationObserver(() => {
    if (asked) return;
    asked = true;
    // A browser resets the focus of a removed element only when it renders, so wait for that.
    requestAnimationFrame(() => setTimeout(look));
  }).observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["hidden", "disabled", "open"],
  });
}

function can(element: Element): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled");
}
