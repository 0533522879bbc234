# A login at oauth2-proxy with curl as the browser, then two calls of the API, each after a refresh.
set -eu
proxy=http://127.0.0.1:4180
if curl -s -o /dev/null "$proxy/ping"; then
  echo "another program listens at $proxy"
  exit 1
fi
folder=$(mktemp -d)
./oauth2-proxy --alpha-config config.yaml --redirect-url "$proxy/oauth2/callback" --email-domain '*' \
  --cookie-secret "$(openssl rand -hex 16)" --cookie-secure=false --cookie-refresh 1ms \
  --standard-logging-format '{{.Message}}' --auth-logging-format '{{.Message}}' --request-logging=false \
  > "$folder/log" 2>&1 &

# What it says about a session and about claims has times.
end() {
  kill $! || true
  wait $! || true
  sed 's/Session{[^}]*}/a session/; s/ do not exist in claims: .*/ do not exist/' "$folder/log"
  rm -r "$folder"
}
trap end EXIT
trap 'exit 1' TERM
until curl -s -o /dev/null "$proxy/ping"; do
  kill -0 $!
  sleep 0.1
done

open() {
  curl -s -f -L -b "$folder/cookies" -c "$folder/cookies" -o /dev/null "$proxy$1"
}

# With a session, the login has succeeded: the state may name another page than this one, which the API does not have.
open '/oauth2/start?rd=/ping' || {
  code=$?
  grep -Eq '_oauth2_proxy(_[0-9]+)?[[:space:]]' "$folder/cookies" || exit $code
}
for _ in 1 2; do
  sleep 1.1 # its clock for refreshes counts seconds
  open "/${OAUTH_RESOURCE#*://*/}"
done
