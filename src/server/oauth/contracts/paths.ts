/** The paths of the endpoints below the path of the issuer, the profiles of other servers, and where the metadata is. */

/** The paths of the pages and of the probes, which are the same at every server. */
export const paths = {
  home: "/",
  start: "/start",
  authorized: "/authorized",
  walk: "/authorized/walk",
  signIn: "/oauth2/sign_in",
  signUp: "/oauth2/sign_up",
  consent: "/oauth2/consent",
  account: "/oauth2/account",
  secondFactor: "/oauth2/second_factor",
  device: "/device",
  health: "/health",
  ready: "/ready",
} as const;

/** The path of the styles, the icons and the scripts of pages. */
export const assetsPath = "/static/";

/** The well-known path of the metadata of a protected resource (RFC 9728 §3). */
export const protectedResourcePath = "/.well-known/oauth-protected-resource";

/** The paths of the endpoints that a server can move, by the name of the endpoint. */
export interface Paths {
  readonly authorize: string;
  readonly par: string;
  readonly token: string;
  readonly jwks: string;
  readonly userinfo: string;
  readonly introspect: string;
  readonly revoke: string;
  readonly logout: string;
  readonly register: string;
}

/** The paths that a server can move. Features declare their endpoints at these paths; links use `settings.paths`. */
export const usualPaths: Paths = {
  authorize: "/oauth2/authorize",
  par: "/oauth2/par",
  token: "/oauth2/token",
  jwks: "/oauth2/jwks",
  userinfo: "/userinfo",
  introspect: "/oauth2/introspect",
  revoke: "/oauth2/revoke",
  logout: "/connect/logout",
  register: "/connect/register",
};

/** The names of the profiles. */
export type PathProfileName = "root" | "axa" | "navikt" | "keycloak" | "auth0";

/** A profile, or single paths. */
export type PathsOption = PathProfileName | Partial<Paths>;

/** The paths of another server. Applications that were written for that server find the endpoints there. */
export interface PathProfile {
  readonly paths: Paths;
  /** The path of the issuer if no issuer is configured. Default: none. */
  readonly issuerPath?: string;
  /** The `typ` of access tokens that are JWTs, because APIs that were written for that server refuse others. */
  readonly accessTokenType?: "JWT";
  /** Where the metadata are, if no option says it. */
  readonly metadata?: MetadataAddresses;
  /** Another path of the health check, which is not below the path of the issuer. */
  readonly healthPath?: string;
  /** Issuers are side by side: the last segment of the path is the name of the issuer. Any name works. */
  readonly namesIssuers?: true;
}

export const usualProfile: PathProfile = { paths: usualPaths };

const shortPaths: Paths = {
  authorize: "/authorize",
  par: "/par",
  token: "/token",
  jwks: "/jwks",
  userinfo: "/userinfo",
  introspect: "/introspect",
  revoke: "/revoke",
  logout: "/endsession",
  register: "/register",
};

const keycloakPaths: Paths = {
  authorize: "/protocol/openid-connect/auth",
  par: "/protocol/openid-connect/ext/par/request",
  token: "/protocol/openid-connect/token",
  jwks: "/protocol/openid-connect/certs",
  userinfo: "/protocol/openid-connect/userinfo",
  introspect: "/protocol/openid-connect/token/introspect",
  revoke: "/protocol/openid-connect/revoke",
  logout: "/protocol/openid-connect/logout",
  register: "/clients-registrations/openid-connect",
};

const auth0Paths: Paths = {
  authorize: "/authorize",
  par: "/oauth/par",
  token: "/oauth/token",
  jwks: "/.well-known/jwks.json",
  userinfo: "/userinfo",
  introspect: "/oauth/introspect",
  revoke: "/oauth/revoke",
  logout: "/oidc/logout",
  register: "/oidc/register",
};

/**
 * `root` has the paths that clients of MCP 2025-03-26 try when they find no metadata: /authorize, /token and /register.
 * `axa` is the profile of oauth2-mock-server, `navikt` that of mock-oauth2-server, `keycloak` that of a
 * realm, and `auth0` that of a tenant.
 */
export const pathProfiles: Readonly<Record<PathProfileName, PathProfile>> = {
  root: { paths: shortPaths },
  axa: { paths: shortPaths, accessTokenType: "JWT" },
  navikt: {
    paths: shortPaths,
    accessTokenType: "JWT",
    issuerPath: "/default",
    metadata: { oauthAuthorizationServer: "both" },
    healthPath: "/isalive",
    namesIssuers: true,
  },
  keycloak: { paths: keycloakPaths, accessTokenType: "JWT", issuerPath: "/realms/master" },
  auth0: { paths: auth0Paths, accessTokenType: "JWT", issuerPath: "/" },
};

/** Returns the profile with this name. Any other value, such as single paths, has the usual profile. */
export function findProfile(name: unknown): PathProfile {
  return typeof name === "string" && Object.hasOwn(pathProfiles, name)
    ? pathProfiles[name as PathProfileName]
    : usualProfile;
}

/** A wrong option is refused by `readDemoResource`. */
export function pathOfDemoResource(option: unknown): string | undefined {
  if (typeof option !== "string") return undefined;
  return option.startsWith("/") ? option : URL.canParse(option) ? new URL(option).pathname : undefined;
}

/**
 * Where a metadata document is. `inserted`: the well-known path is before the path of the issuer. `appended`: it is
 * after the path of the issuer. For an issuer without a path, both are the same address.
 */
export type MetadataForm = "both" | "inserted" | "appended" | false;

/** The forms of the two documents. A document that is left out keeps its usual addresses. */
export interface MetadataAddresses {
  /**
   * Where `/.well-known/oauth-authorization-server` is, if the issuer has a path: before that path (`inserted`), after it
   * (`appended`), or both. `false`: nowhere. Default: `inserted`, or `both` with the paths `navikt`.
   */
  readonly oauthAuthorizationServer?: MetadataForm;
  /**
   * Where `/.well-known/openid-configuration` is, if the issuer has a path: before that path (`inserted`), after it
   * (`appended`), or both. `false`: nowhere. Default: `both`.
   */
  readonly openidConfiguration?: MetadataForm;
}

export const metadataPaths: Readonly<Record<keyof MetadataAddresses, string>> = {
  oauthAuthorizationServer: "/.well-known/oauth-authorization-server",
  openidConfiguration: "/.well-known/openid-configuration",
};
