/** The names of the look-alikes. They are apart from the functions, so that a test can name one before those are loaded. */

/** The providers that a server can look like. */
export const lookAlikeNames = [
  "apple",
  "auth0",
  "cognito",
  "discord",
  "entra",
  "facebook",
  "github",
  "gitlab",
  "google",
  "keycloak",
  "linkedin",
  "okta",
  "slack",
  "slack_openid",
] as const;

/** The name of a look-alike: a provider. */
export type LookAlikeName = (typeof lookAlikeNames)[number];
