#!/usr/bin/env bash
# Starts a server that outlives this script. Reads VERSION, PORT and FLAGS; writes the outputs of the action.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/require_version.sh"
log=$RUNNER_TEMP/postern-$PORT.log

# The key of the inspector is the fragment of its address. The log is printed, and may be an artifact of the job.
without_key() {
  local line
  while IFS= read -r line; do printf '%s\n' "${line%%#key=*}"; done
}

# the server and the filter of its output go on when the terminal of this script is closed
trap '' HUP
# FLAGS has several words
# shellcheck disable=SC2086
npx --yes "postern@$VERSION" start --port "$PORT" $FLAGS 2>&1 < /dev/null | without_key > "$log" 2> /dev/null &

if ! npx --yes "postern@$VERSION" health --wait 60 --port "$PORT"; then
  echo "::error::Postern did not start"
  cat "$log"
  exit 1
fi
issuer=$(sed -n 's/^  Issuer  *//p' "$log" | head -n 1)
{
  echo "issuer=$issuer"
  echo "log=$log"
} >> "$GITHUB_OUTPUT"
