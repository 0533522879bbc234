/** The paths that more than one file needs, for example in links, forms and requests of the test kit. */

export const paths = {
  home: "/",
  start: "/start",
  authorized: "/authorized",
  authorize: "/oauth2/authorize",
  signIn: "/oauth2/sign_in",
  consent: "/oauth2/consent",
  token: "/oauth2/token",
  revoke: "/oauth2/revoke",
  account: "/oauth2/account",
  logout: "/connect/logout",
} as const;
