import { html } from "lit";
import { toggledInOrder } from "../ui/toggle.js";

/** A method that a comparison may run. */
export interface Method {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
}

/** Check boxes for methods; the chosen ones keep the order of the list. */
export function methodChecks(
  methods: readonly Method[],
  chosen: readonly string[],
  change: (chosen: readonly string[]) => void,
): unknown {
  const ids = methods.map(({ id }) => id);
  return methods.map(
    (m) =>
      html`<label class="check"
        ><input
          type="checkbox"
          .checked=${chosen.includes(m.id)}
          @change=${() => change(toggledInOrder(chosen, m.id, ids))}
        />
        <span>${m.label} <small class="hint">${m.hint}</small></span></label
      >`,
  );
}
