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

/** Where a provider is. */
export interface ProviderHosts {
  /** The host of the provider, maybe with a path that its addresses begin with. For tenants, that of an invented one. */
  readonly host: string;
  /** Whether a test names the host, because each tenant of the provider has its own. */
  readonly hasTenants?: true;
  /** Returns the other hosts. */
  readonly others?: (host: string) => readonly string[];
}

export const providerHosts: Readonly<Record<LookAlikeName, ProviderHosts>> = {
  apple: { host: "appleid.apple.com" },
  auth0: { host: "shop.eu.auth0.com", hasTenants: true },
  cognito: {
    host: "shop.auth.eu-central-1.amazoncognito.com",
    hasTenants: true,
    others: (host) => [`cognito-idp.${cognitoRegionOf(host)}.amazonaws.com`],
  },
  discord: { host: "discord.com" },
  entra: {
    host: "login.microsoftonline.com/common",
    hasTenants: true,
    others: () => ["graph.microsoft.com"],
  },
  facebook: { host: "www.facebook.com", others: () => ["graph.facebook.com"] },
  github: {
    host: "github.com",
    hasTenants: true,
    others: (host) => [new URL(githubApiOf(host)).host].filter((each) => each !== host),
  },
  gitlab: { host: "gitlab.com", hasTenants: true },
  google: {
    host: "accounts.google.com",
    others: () => ["oauth2.googleapis.com", "openidconnect.googleapis.com", "www.googleapis.com"],
  },
  keycloak: { host: "sso.example.com/realms/shop", hasTenants: true },
  linkedin: { host: "www.linkedin.com", others: () => ["api.linkedin.com"] },
  okta: { host: "shop.okta.com/oauth2/default", hasTenants: true },
  slack: { host: "slack.com" },
  slack_openid: { host: "slack.com" },
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

/** Returns which host the provider can have, if it cannot have the given one. */
export function findFittingHost(name: LookAlikeName, given: string): string | undefined {
  const { host, hasTenants } = providerHosts[name];
  if (!hasTenants) return given === host ? undefined : `${host}, the only host that it has`;
  const text = `https://${given}`;
  const { origin, pathname } = URL.canParse(text) ? new URL(text) : { origin: "", pathname: "" };
  return origin + pathname.replace(/\/$/, "") === text ? undefined : `a host such as ${host}`;
}

/** Returns the origins of a provider, or those of its tenant with this host. */
export function listOrigins(name: LookAlikeName, host: string = providerHosts[name].host): readonly string[] {
  const { others = () => [] } = providerHosts[name];
  return [host, ...others(host)].map((each) => new URL(`https://${each}`).origin);
}

/** The providers, and which part of them. */
export const lookAlikeTitles: Readonly<Record<LookAlikeName, string>> = {
  apple: "Apple, Sign in with Apple",
  auth0: "Auth0, the host of a tenant",
  cognito: "Amazon Cognito, the domain of a user pool",
  discord: "Discord, applications that log people in",
  entra: "Microsoft Entra ID, tenant-independent endpoints or a tenant",
  facebook: "Facebook, Facebook Login without its libraries",
  github: "GitHub, OAuth apps",
  gitlab: "GitLab, GitLab.com or an instance",
  google: "Google, web server applications",
  keycloak: "Keycloak, a realm",
  linkedin: "LinkedIn, Sign In with OpenID Connect",
  okta: "Okta, an authorization server of an organization",
  slack: "Slack, oauth.v2.access",
  slack_openid: "Slack, Sign in with Slack",
};
