/**
 * The peer `oidc-provider` with its own memory adapter. `/bench/session` replaces the sign-in page, and consent is
 * automatic. Access tokens for the API are JWTs; those for userinfo are opaque, because it accepts no others.
 * Run as a process: `oidc_provider PORT ALG`.
 */
import { exportJWK, generateKeyPair } from "jose";
import type { Server } from "node:http";
import process from "node:process";
import * as oidcProvider from "oidc-provider";
import { confidentialClient, person, publicClient, scopes } from "../clients.ts";
import { describeResource, lifetime, resource } from "../oidc_resource.ts";

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
interface Provider {
  readonly Grant: {
    new (details: { accountId: string; clientId: string }): Grant;
    find(id: string): Promise<Grant | undefined>;
  };
  readonly Session: new () => Session;
  cookieName(name: string): string;
  use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  listen(port: number, hostname: string): Server;
}
const { Provider } = oidcProvider as unknown as {
  Provider: new (issuer: string, configuration: Record<string, unknown>) => Provider;
};

const [portText, alg = "ES256"] = process.argv.slice(2);
const port = Number(portText);
const { privateKey } = await generateKeyPair(alg, { extractable: true });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [publicClient, confidentialClient],
  clientDefaults: { id_token_signed_response_alg: alg },
  jwks: { keys: [{ ...await exportJWK(privateKey), alg, use: "sig" }] },
  cookies: { keys: [crypto.randomUUID()] },
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
  claims: { openid: ["sub"], email: ["email", "email_verified"] },
  findAccount: (_context: Context, accountId: string) => ({
    accountId,
    claims: () => ({ sub: accountId, ...person.claims }),
  }),
  // without its consent page it drops offline_access; the next two options issue the same refresh tokens anyway
  issueRefreshToken: (_context: Context, client: RegisteredClient) =>
    client.grantTypeAllowed("refresh_token"),
  expiresWithSession: () => false,
  rotateRefreshToken: true,
  loadExistingGrant,
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
      getResourceServerInfo: () => describeResource(alg),
    },
  },
});

async function loadExistingGrant(context: Context): Promise<Grant | undefined> {
  const { session, client } = context.oidc;
  const existing = session.grantIdFor(client.clientId);
  if (existing) return await provider.Grant.find(existing);
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(scopes.person);
  grant.addResourceScope(resource, scopes.api);
  await grant.save(lifetime);
  return grant;
}

provider.use(async (context, next) => {
  if (context.path !== "/bench/session") return await next();
  const session = new provider.Session();
  session.loginAccount({ accountId: person.username });
  await session.save(lifetime);
  context.cookies.set(provider.cookieName("session"), session.id, { signed: true, httpOnly: true });
  context.body = "";
});
provider.listen(port, "127.0.0.1");
