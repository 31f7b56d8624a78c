let arrived: Promise<void> | undefined;

/** Loads the style sheet of the deferred panels, once. If that fails, the panels still work, but look plain. */
export function lateStyle(address: string): Promise<void> {
  arrived ??= new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => {
      arrived = undefined; // the next call tries again
      link.remove();
      reject(new Error("a style sheet did not load"));
    };
    document.head.append(link);
  });
  return arrived;
}
