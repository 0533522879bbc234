/**
 * The providers that a server can look like: what they are called, and where they are. Apart from what they do differently, so
 * that a test can name one before that is loaded.
 */

/** The providers that a server can look like. */
export const lookAlikeNames = [
  "apple",
  "atlassian",
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

/** A provider, without what its look-alike changes. */
export interface Provider {
  /** The provider, and which part of it. */
  readonly title: string;
  /** The host of the provider, maybe with a path that its addresses begin with. For tenants, that of an invented one. */
  readonly host: string;
  /** Whether a test names the host, because each tenant of the provider has its own. */
  readonly hasTenants?: true;
  /** Returns the other hosts. */
  readonly others?: (host: string) => readonly string[];
}

export const providers: Readonly<Record<LookAlikeName, Provider>> = {
  apple: { title: "Apple, Sign in with Apple", host: "appleid.apple.com" },
  atlassian: {
    title: "Atlassian, OAuth 2.0 (3LO) apps",
    host: "auth.atlassian.com",
    others: () => ["api.atlassian.com"],
  },
  auth0: { title: "Auth0, the host of a tenant", host: "shop.eu.auth0.com", hasTenants: true },
  cognito: {
    title: "Amazon Cognito, the domain of a user pool",
    host: "shop.auth.eu-central-1.amazoncognito.com",
    hasTenants: true,
    others: (host) => [`cognito-idp.${cognitoRegionOf(host)}.amazonaws.com`],
  },
  discord: {
    title: "Discord, applications that log people in",
    host: "discord.com",
    others: () => ["discordapp.com"],
  },
  entra: {
    title: "Microsoft Entra ID, tenant-independent endpoints or a tenant",
    host: "login.microsoftonline.com/common",
    hasTenants: true,
    others: () => ["graph.microsoft.com", "login.windows.net", "management.azure.com"],
  },
  facebook: {
    title: "Facebook, Facebook Login without its libraries",
    host: "www.facebook.com",
    others: () => ["graph.facebook.com", "facebook.com", "m.facebook.com"],
  },
  github: {
    title: "GitHub, OAuth apps",
    host: "github.com",
    hasTenants: true,
    others: (host) => [new URL(githubApiOf(host)).host].filter((each) => each !== host),
  },
  gitlab: { title: "GitLab, GitLab.com or an instance", host: "gitlab.com", hasTenants: true },
  google: {
    title: "Google, web server applications",
    host: "accounts.google.com",
    others: () => [
      ..."admin cloudresourcemanager iamcredentials oauth2 openidconnect people sts www".split(" ")
        .map((each) => `${each}.googleapis.com`),
      "www.youtube.com",
    ],
  },
  keycloak: { title: "Keycloak, a realm", host: "sso.example.com/realms/shop", hasTenants: true },
  linkedin: {
    title: "LinkedIn, Sign In with OpenID Connect",
    host: "www.linkedin.com",
    others: () => ["api.linkedin.com"],
  },
  okta: {
    title: "Okta, an authorization server of an organization",
    host: "shop.okta.com/oauth2/default",
    hasTenants: true,
  },
  slack: {
    title: "Slack, oauth.v2.access",
    host: "slack.com",
    others: (host) => [`www.${host}`, `postern.${host}`],
  },
  slack_openid: { title: "Slack, Sign in with Slack", host: "slack.com" },
};

/** Returns what the addresses of the REST API begin with. A server of an enterprise has it below a path. */
export function githubApiOf(host: string): string {
  return host === "github.com" || host.endsWith(".ghe.com")
    ? `https://api.${host}`
    : `https://${host}/api/v3`;
}

/** Returns the region in the domain of a user pool of Cognito. A domain that names none is in the usual one. */
export function cognitoRegionOf(host: string): string {
  return /\.auth\.([a-z0-9-]+)\.amazoncognito\.com$/.exec(host)?.[1] ?? "us-east-1";
}
