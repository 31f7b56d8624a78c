const ends: ReadonlySet<string> = new Set([
  "plan.take",
  "plan.exec",
  "monitor.segment",
  "team.state",
  "team.reply",
  "formulate.reply",
  "formulate.assess",
]);

/** Reports whether an event ends a move, after which the run may be paused. */
export function endsMove(event: unknown): boolean {
  return ends.has((event as { readonly kind: string }).kind);
}
