/** What can have the focus by Tab. */
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";

/**
 * Keeps the focus from being lost. Where what has it goes away, is hidden or is
 * disabled, a browser gives it to the page as a whole, and who uses the keyboard begins
 * anew at the top. Here what is nearest takes it: the first that can, in the innermost
 * part of the page that is left of where it was.
 */
export function guardFocus(root: HTMLElement): void {
  /** What had the focus, and all that it was in, the innermost first. */
  let path: readonly Element[] = [];
  let asked = false;
  /** What was done last was done by keys. A finger wants no focus moved, which might bring a keyboard up. */
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
    // What is left by a click beside everything is still there, and nobody lost it.
    if ((document.activeElement !== document.body && document.activeElement !== null) || last === undefined || !byKeys || can(last)) return;
    for (const part of around) {
      if (!part.isConnected || !part.checkVisibility()) continue;
      const next = [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].find((element) => can(element) && element.tabIndex >= 0);
      if (next === undefined) continue;
      next.focus();
      return;
    }
  };
  new MutationObserver(() => {
    if (asked) return;
    asked = true;
    // Browsers look after the focus when they draw.
    requestAnimationFrame(() => setTimeout(look));
  }).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "disabled", "open"] });
}

function can(element: Element): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled");
}
