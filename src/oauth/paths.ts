/** Where things are: said once, because links, forms and metadata all have to agree. */

export const paths = {
  home: "/",
  start: "/start",
  authorized: "/authorized",
  authorize: "/oauth2/authorize",
  signIn: "/oauth2/sign_in",
  consent: "/oauth2/consent",
  token: "/oauth2/token",
  jwks: "/oauth2/jwks",
  revoke: "/oauth2/revoke",
  introspect: "/oauth2/introspect",
  account: "/oauth2/account",
  userinfo: "/userinfo",
  logout: "/connect/logout",
} as const;
