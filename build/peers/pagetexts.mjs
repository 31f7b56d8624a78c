// The texts with which the page is measured, and the edited positions.

const numbers = (n) => Array.from({ length: n }, (_, i) => i);

/**
 * A grammar with a number of lines. The edited name is in the drawing and in a remark,
 * because it has no rule.
 */
export function grammar(lines) {
  const rules = numbers(lines - 3).map((i) => `N${i} -> t${i} N${i + 1} | u${i}`);
  return { name: "long.cfg", text: ["S -> first N0 | Odd", ...rules, `N${lines - 3} -> end`, "Alone -> y", ""].join("\n"), line: "S -> first", word: "Odd", left: 0, problems: true, drawing: true };
}

/** An agent with a number of states in a row, each on its own line. The text of a state, which the
 * drawing shows, is edited. */
export function agent(states, lines) {
  const rest = numbers(states - 1).map((i) => [`    (State${i} (:text "[Text ${i}]")`, ...numbers(Math.round(lines / states) - 2).map((k) => `      ; Remark ${k} on it.`), "    )"].join("\n"));
  return {
    name: "long.agent", line: ":text \"Odd\"", word: "Odd", left: 3, drawing: true,
    text: ["(define long", "  (:states", "    (First (:text \"Odd\"))", ...rest, "  )", `  (:behavior (next First ${numbers(states - 1).map((i) => `State${i}`).join(" ")})))`, ""].join("\n"),
  };
}
