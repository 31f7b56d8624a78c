/** Calls f when the page is idle. */
export function whenIdle(f: () => void): void {
  const idle = (window as { requestIdleCallback?: (f: () => void, options: { timeout: number }) => void })
    .requestIdleCallback;
  if (idle === undefined) setTimeout(f, 3_000);
  else idle(f, { timeout: 10_000 });
}
