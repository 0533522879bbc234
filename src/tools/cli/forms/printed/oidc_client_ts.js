// oidc-client-ts 3, in a page. React: give these settings to <AuthProvider> of react-oidc-context
//: if not none
// a page cannot keep a secret: register this client with token_endpoint_auth_method "none"
//: end
//: if signs
// this client authenticates with __METHOD__, and oidc-client-ts cannot sign an assertion
//: else if login
// __SECRET_NOTE__
import { UserManager } from "oidc-client-ts";

const manager = new UserManager({
  authority: __ISSUER__,
  client_id: __CLIENT_ID__,
//: if secret
  client_secret: OAUTH_CLIENT_SECRET,
  client_authentication: "__METHOD__",
//: end
  redirect_uri: __REDIRECT_URI__,
  scope: __SCOPE__,
//: if openid
  loadUserInfo: true, // name and email come from the userinfo endpoint
//: end
});
// the page of the redirect URI ends the login, and every other page begins it:
if (location.href.startsWith(manager.settings.redirect_uri)) {
  const user = await manager.signinCallback();
  console.log(user.profile.name, user.access_token);
} else {
  await manager.signinRedirect();
}
//: else
// __SIGN_IN_PROBLEM__
//: end
