const ends: ReadonlySet<string> = new Set(["plan.take", "plan.exec", "monitor.segment", "team.state", "team.reply", "formulate.reply", "formulate.assess"]);

/** Whether an event of a run ends a move, after which the run may be held. */
export function endsMove(event: unknown): boolean {
  return ends.has((event as { readonly kind: string }).kind);
}
