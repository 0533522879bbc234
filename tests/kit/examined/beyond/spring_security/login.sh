# A login at the application, with curl as the browser. Each run has a registration of its own.
set -eu
id=$(printf '%s %s %s' "$OAUTH_ISSUER" "$OAUTH_RESOURCE" "$$" | openssl base64 -A | tr '+/' '-_' | tr -d =)
answer=$(curl -s -L -c /dev/null -b '' "http://127.0.0.1:4181/login/$id")
echo "$answer" | sed "s/$id/[registration]/"
test "$answer" = "signed in"
