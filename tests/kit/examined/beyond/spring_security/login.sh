# Two logins at the application, with curl as the browser. Each run has a registration of its own.
set -eu
id=$(printf '%s %s %s' "$OAUTH_ISSUER" "$OAUTH_RESOURCE" "$$" | openssl base64 -A | tr '+/' '-_' | tr -d =)
app=http://127.0.0.1:4181
cookies=$(mktemp)
trap 'rm "$cookies"' EXIT
answer=$(curl -s -L -c "$cookies" -b "$cookies" "$app/login/$id")
echo "$answer" | sed "s/$id/[registration]/"
test "$answer" = "signed in"
# The second one ends before the page that calls the API: at the server, the callback, and no further.
answer=$(curl -s -L --max-redirs 2 -c "$cookies" -b "$cookies" -w '%{redirect_url}' "$app/login/$id" || true)
echo "$answer" | sed "s/$id/[registration]/"
test "$answer" = "$app/"
