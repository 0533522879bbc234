/**
 * The peer `oidc-provider` with its own memory adapter. Consent is automatic, and a session is created directly instead
 * of through a sign-in page. Access tokens for the API are JWTs; those for userinfo are opaque, because it accepts no
 * others.
 */
import type { RequestListener, Server } from "node:http";
import * as oidcProvider from "oidc-provider";
import { confidentialClient, person, publicClient, scopes } from "../clients.ts";

// the package has no types; these are the parts used here
interface Grant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(ttl: number): Promise<string>;
}
interface Session {
  readonly id: string;
  loginAccount(details: { accountId: string }): void;
  grantIdFor(clientId: string): string | undefined;
  save(ttl: number): Promise<string>;
}
interface Context {
  readonly path: string;
  body: unknown;
  readonly cookies: { set(name: string, value: string, options: Record<string, unknown>): void };
  readonly oidc: {
    readonly session: Session & { readonly accountId: string };
    readonly client: { readonly clientId: string };
    readonly requestParamScopes: ReadonlySet<string>;
  };
}
interface RegisteredClient {
  grantTypeAllowed(name: string): boolean;
}
export interface Provider {
  readonly Grant: {
    new (details: { accountId: string; clientId: string }): Grant;
    find(id: string): Promise<Grant | undefined>;
  };
  readonly Session: new () => Session;
  cookieName(name: string): string;
  use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  callback(): RequestListener;
  listen(port: number, hostname: string): Server;
}
const { Provider } = oidcProvider as unknown as {
  Provider: new (issuer: string, configuration: Record<string, unknown>) => Provider;
};

/** The API that tokens are issued for. */
const resource = "https://api.example";
/** Seconds that tokens and sessions are valid. */
const lifetime = 3600;

export interface ProviderOptions {
  readonly issuer: string;
  readonly alg: string;
  readonly key: object;
  /** They sign the cookies. */
  readonly cookieKeys?: readonly string[];
  issuesRefreshTokens(client: RegisteredClient): boolean;
}

export function createProvider({ issuer, alg, key, cookieKeys = [], ...terms }: ProviderOptions): Provider {
  const provider = new Provider(issuer, {
    clients: [publicClient, confidentialClient],
    clientDefaults: { id_token_signed_response_alg: alg },
    jwks: { keys: [{ ...key, alg, use: "sig" }] },
    cookies: { keys: cookieKeys },
    ttl: {
      AccessToken: lifetime,
      AuthorizationCode: 60,
      ClientCredentials: lifetime,
      Grant: lifetime,
      IdToken: lifetime,
      RefreshToken: lifetime,
      Session: lifetime,
    },
    pkce: { required: () => true },
    scopes: ["openid", "offline_access"],
    claims: {
      openid: ["sub"],
      profile: ["name", "given_name", "family_name", "locale"],
      email: ["email", "email_verified"],
    },
    findAccount: (_context: Context, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...person.claims }),
    }),
    // without its consent page it drops offline_access; the next two options issue the same refresh tokens anyway
    issueRefreshToken: (_context: Context, client: RegisteredClient) => terms.issuesRefreshTokens(client),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    loadExistingGrant: (context: Context) => loadGrant(provider, context),
    interactions: { url: () => "/interaction" },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: true },
      introspection: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (context: Context, _client: unknown, granted?: readonly string[]) =>
          granted?.[0] ?? (context.oidc.requestParamScopes.has(scopes.api) ? resource : undefined),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          ...{ scope: scopes.api, audience: resource, accessTokenTTL: lifetime },
          ...{ accessTokenFormat: "jwt", jwt: { sign: { alg } } },
        }),
      },
    },
  });
  return provider;
}

async function loadGrant(provider: Provider, { oidc }: Context): Promise<Grant | undefined> {
  const { session: { accountId }, session, client: { clientId } } = oidc;
  const existing = session.grantIdFor(clientId);
  if (existing) return await provider.Grant.find(existing);
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope("openid profile email");
  grant.addResourceScope(resource, scopes.api);
  await grant.save(lifetime);
  return grant;
}

export async function createSession(provider: Provider): Promise<Session> {
  const session = new provider.Session();
  session.loginAccount({ accountId: person.username });
  await session.save(lifetime);
  return session;
}
