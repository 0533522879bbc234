#: if not device_client
# no client may log in on a device: add urn:ietf:params:oauth:grant-type:device_code to the grant_types of one
#: else
# curl, in a POSIX shell: log in on a device
#: if signs
# __CLIENT_ID__ authenticates with __METHOD__, and curl cannot sign an assertion
#: else
# $__SECRET_NOTE__
codes=$(curl -gsS __DEVICE_URL__ \
  --data-urlencode __SCOPE_FIELD__ \
#: if none
  --data-urlencode __CLIENT_ID_FIELD__)
#: else if client_secret_basic
  --user __ENCODED_CLIENT_ID__:"$OAUTH_CLIENT_SECRET")
#: else
  --data-urlencode __CLIENT_ID_FIELD__ \
  --data-urlencode "client_secret=$OAUTH_CLIENT_SECRET")
#: end
device_code=$(printf %s "$codes" | sed -n 's/.*"device_code":"\([^"]*\)".*/\1/p')
user_code=$(printf %s "$codes" | sed -n 's/.*"user_code":"\([^"]*\)".*/\1/p')
verification_uri=$(printf %s "$codes" | sed -n 's/.*"verification_uri":"\([^"]*\)".*/\1/p')
interval=$(printf %s "$codes" | sed -n 's/.*"interval":\([0-9]*\).*/\1/p')
: "${device_code:?the server answers $codes}"
echo "Open $verification_uri and enter the code $user_code" >&2
while sleep "${interval:=5}"; do
  tokens=$(curl -gsS __TOKEN_URL__ \
    --data grant_type=urn:ietf:params:oauth:grant-type:device_code \
    --data "device_code=$device_code" \
#: if none
    --data-urlencode __CLIENT_ID_FIELD__)
#: else if client_secret_basic
    --user __ENCODED_CLIENT_ID__:"$OAUTH_CLIENT_SECRET")
#: else
    --data-urlencode __CLIENT_ID_FIELD__ \
    --data-urlencode "client_secret=$OAUTH_CLIENT_SECRET")
#: end
  case $tokens in
    *'"authorization_pending"'*) ;;
    *'"slow_down"'*) interval=$((interval + 5)) ;;
    *) break ;;
  esac
done
access_token=$(printf %s "$tokens" | sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p')
: "${access_token:?the server answers $tokens}"
#: if openid
curl -gsS -H "Authorization: Bearer $access_token" __USERINFO_URL__
#: end
#: end
#: end
