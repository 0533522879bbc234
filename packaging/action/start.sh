#!/usr/bin/env bash
# Starts a server that outlives this script. Reads PACKAGE, PORT and FLAGS; writes the outputs of the action.
set -euo pipefail
log=$RUNNER_TEMP/postern-$PORT.log

# FLAGS has several words
# shellcheck disable=SC2086
nohup npx --yes "$PACKAGE" start --port "$PORT" $FLAGS > "$log" 2>&1 &

if ! npx --yes "$PACKAGE" health --wait 60 --port "$PORT"; then
  echo "::error::Postern did not start"
  cat "$log"
  exit 1
fi
issuer=$(sed -n 's/^  Issuer  *//p' "$log" | head -n 1)
{
  echo "issuer=$issuer"
  echo "log=$log"
} >> "$GITHUB_OUTPUT"
