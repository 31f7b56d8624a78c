#!/usr/bin/env bash
# The step of the GitHub action: build the command from the action's checkout, run it in the workspace, and
# add its report to the summary of the job. The exit code is that of the command.
set -euo pipefail

words() { # the lines of an input that are not blank, into the array lines
  lines=()
  while IFS= read -r line; do
    line="${line#"${line%%[![:space:]]*}"}"
    line="${line%"${line##*[![:space:]]}"}"
    if [ -n "$line" ]; then lines+=("$line"); fi
  done <<<"$1"
}

fail() { # an error of the inputs
  echo "::error title=Stile::$1"
  echo "exit-code=2" >>"${GITHUB_OUTPUT:-/dev/null}"
  exit 2
}

case "${STILE_COMMAND:=check}" in
check | diff | test) ;;
*) fail "unknown command \"$STILE_COMMAND\"; expected check, diff or test" ;;
esac
words "${STILE_SPECS:-}"
if [ ${#lines[@]} -eq 0 ]; then fail "the input specs is empty"; fi
arguments=("${lines[@]}")
flags=()
if [ "$STILE_COMMAND" != test ]; then
  words "${STILE_TRACES:-}"
  if [ ${#lines[@]} -eq 0 ]; then fail "the input traces is empty"; fi
  arguments+=("${lines[@]}")
  if [ -n "${STILE_INCLUDE:-}" ]; then flags+=("-include=$STILE_INCLUDE"); fi
fi
report="${RUNNER_TEMP:-/tmp}/stile-report.md"
rm -f "$report"
case "$STILE_COMMAND" in
check)
  flags+=("-report=markdown=$report")
  if [ -n "${STILE_BASELINE:-}" ]; then flags+=("-baseline=$STILE_BASELINE"); fi
  if [ -n "${STILE_SARIF:-}" ]; then flags+=("-report=sarif=$STILE_SARIF"); fi
  if [ -n "${STILE_JUNIT:-}" ]; then flags+=("-report=junit=$STILE_JUNIT"); fi
  ;;
diff) flags+=("-format=markdown") ;;
esac

# A job that uses the action several times builds each version once.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
stile="${RUNNER_TEMP:-/tmp}/stile-${root##*/}"
if [ ! -x "$stile" ]; then
  command -v go >/dev/null || fail "Go is not installed; the action needs actions/setup-go"
  (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$stile" ./wasm/stile) || fail "the command stile cannot be built"
fi

code=0
"$stile" "$STILE_COMMAND" ${flags[@]+"${flags[@]}"} -- "${arguments[@]}" | tee "$report.out" || code=${PIPESTATUS[0]}
if [ "$STILE_COMMAND" = diff ]; then cp "$report.out" "$report"; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "$report" ]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
echo "exit-code=$code" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
