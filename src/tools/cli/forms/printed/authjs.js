// Auth.js 5
// redirect URI: __CALLBACK_URI__
// Auth.js __CALLBACK_NOTE__
// __SIGN_IN_PROBLEM__
//: if login
// outside Next.js, as in SvelteKit and Express, the path is /auth/callback/__PROVIDER__, without /api
//: end
//: if signs
// Auth.js names two audiences in its assertions, and RFC 10070 §4 allows one: use client_secret_basic instead
//: end
// __SECRET_NOTE__
const postern = {
  id: "__PROVIDER__",
  name: "Postern",
  type: "oidc",
  issuer: __ISSUER__,
  clientId: __CLIENT_ID__,
//: if secret
  clientSecret: process.env.OAUTH_CLIENT_SECRET,
//: end
  client: { token_endpoint_auth_method: "__METHOD__" },
  authorization: { params: { scope: __SCOPE__ } },
  checks: ["pkce", "state"],
  idToken: false, // name and email come from the userinfo endpoint
};
