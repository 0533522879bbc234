#!/usr/bin/env bash
# Examines a client. Reads VERSION, COMMAND and FLAGS; writes the outputs of the action.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../require_version.sh"
if [[ -z $COMMAND ]]; then
  echo '::error::The input "command" must be the command that runs the test, such as npm run test:login'
  exit 1
fi

# the cache may have it
installed=$RUNNER_TEMP/postern-$VERSION
postern=$installed/node_modules/.bin/postern
[[ -x $postern ]] || npm install --prefix "$installed" --silent --no-audit --no-fund "postern@$VERSION"

# a job may have several examinations
cards=$(mktemp -d "$RUNNER_TEMP/postern-card-XXXXXX")
{
  echo "card=$cards/card.json"
  echo "report=$cards/card.html"
  echo "sarif=$cards/card.sarif"
  echo "junit=$cards/card.xml"
  echo "summary=$cards/card.md"
} >> "$GITHUB_OUTPUT"

# FLAGS has several words
# shellcheck disable=SC2086
exec "$postern" examine --card "$cards/card.json,$cards/card.html,$cards/card.sarif,$cards/card.xml,$cards/card.md" \
  $FLAGS -- bash -c "$COMMAND"
