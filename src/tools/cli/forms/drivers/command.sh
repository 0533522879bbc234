# A login with curl, for an examination by Postern. Change it to what your application does, or run your own command.
#   __STEPS__
set -eu
random() { openssl rand -hex 32; }
state=$(random)
code_verifier=$(random)
code_challenge=$(printf %s "$code_verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d =)
# The browser: the server signs in without a page. With the scope openid, this client would have to check ID tokens.
callback=$(curl -sS -m 5 -o /dev/null -w '%{redirect_url}' --get "$OAUTH_ISSUER/oauth2/authorize" \
  -d response_type=code -d "client_id=$OAUTH_CLIENT_ID" -d scope=orders -d "state=$state" \
  -d "code_challenge=$code_challenge" -d code_challenge_method=S256 \
  --data-urlencode "redirect_uri=$OAUTH_REDIRECT_URI" --data-urlencode "resource=$OAUTH_RESOURCE")
member() { printf '%s' "$callback" | tr '?&' '\n\n' | sed -n "s/^$1=//p"; }
issuer=$(printf %s "$OAUTH_ISSUER" | sed 's,:,%3A,g; s,/,%2F,g')
[ "$(member state)" = "$state" ] || { echo "refused: the state differs"; exit 1; }
[ "$(member iss)" = "$issuer" ] || { echo "refused: the issuer differs"; exit 1; }
[ -n "$(member code)" ] || { echo "refused: no code"; exit 1; }

# Prints a member of the answer to a token request with these parameters.
request() {
  answer=$(curl -sS -f -m 5 "$OAUTH_ISSUER/oauth2/token" -d "client_id=$OAUTH_CLIENT_ID" "$@")
  printf %s "$answer" | grep -qi '"token_type": *"bearer"' || { echo "refused: no bearer token"; exit 1; }
}
text() { printf %s "$answer" | sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p'; }
request -d grant_type=authorization_code -d "code=$(member code)" -d "code_verifier=$code_verifier" \
  --data-urlencode "redirect_uri=$OAUTH_REDIRECT_URI"
for _ in first second; do
  refresh_token=$(text refresh_token | grep . || echo "$refresh_token")
  request -d grant_type=refresh_token --data-urlencode "refresh_token=$refresh_token"
  curl -sS -f -m 5 -H "Authorization: Bearer $(text access_token)" "$OAUTH_RESOURCE"
done
