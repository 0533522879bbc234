# curl and openssl, in a POSIX shell
#: if signs
# this client authenticates with __METHOD__, and curl cannot sign an assertion
#: else
# $__SECRET_NOTE__
#: if login
#: if automatic
# login_hint=NAME in the first request signs in another person
#: else
# curl cannot answer the pages of this server: start it with --login auto
#: end
state=$(openssl rand -hex 16)
code_verifier=$(openssl rand -hex 32)
code_challenge=$(printf %s "$code_verifier" | openssl dgst -sha256 -binary |
  openssl base64 -A | tr '+/' '-_' | tr -d =)
callback=$(curl -gsS -o /dev/null -w '%{redirect_url}' --get __AUTHORIZE_URL__ \
  --data response_type=code \
  --data-urlencode __CLIENT_ID_FIELD__ \
  --data-urlencode __REDIRECT_URI_FIELD__ \
  --data-urlencode __SCOPE_FIELD__ \
  --data "state=$state" \
  --data "code_challenge=$code_challenge" \
  --data code_challenge_method=S256)
code=$(printf %s "$callback" | grep -F "state=$state" | sed -n 's/.*[?&]code=\([^&]*\).*/\1/p')
: "${code:?the server redirects to ${callback:-no address, because it shows a page; start it with --login auto}}"
#: end
#: if runs
tokens=$(curl -gsS __TOKEN_URL__ \
#: if login
  --data grant_type=authorization_code \
  --data "code=$code" \
  --data-urlencode __REDIRECT_URI_FIELD__ \
  --data "code_verifier=$code_verifier" \
#: else
  --data grant_type=client_credentials \
#: end
#: if none
  --data-urlencode __CLIENT_ID_FIELD__)
#: else if client_secret_basic
  --user __ENCODED_CLIENT_ID__:"$OAUTH_CLIENT_SECRET")
#: else
  --data-urlencode __CLIENT_ID_FIELD__ \
  --data-urlencode "client_secret=$OAUTH_CLIENT_SECRET")
#: end
access_token=$(printf %s "$tokens" | sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p')
: "${access_token:?the server answers $tokens}"
#: if login
#: if openid
curl -gsS -w '\n' -H "Authorization: Bearer $access_token" __USERINFO_URL__
#: end
#: if exchange
# __EXCHANGER_ID__ exchanges the token. $EXCHANGE_CLIENT_SECRET: __EXCHANGER_SECRET_PLACE__
: "${EXCHANGE_CLIENT_SECRET:?set it to the secret of the client that exchanges}"
exchanged=$(curl -gsS __TOKEN_URL__ \
  --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:token-exchange \
  --data-urlencode "subject_token=$access_token" \
  --data-urlencode subject_token_type=urn:ietf:params:oauth:token-type:access_token \
  --data-urlencode __AUDIENCE_FIELD__ \
#: if exchanger_uses_basic
  --user __ENCODED_EXCHANGER_ID__:"$EXCHANGE_CLIENT_SECRET")
#: else
  --data-urlencode __EXCHANGER_ID_FIELD__ \
  --data-urlencode "client_secret=$EXCHANGE_CLIENT_SECRET")
#: end
printf "%s\n" "$exchanged"
#: end
#: end
#: else
# __SIGN_IN_PROBLEM__
#: end
#: end
