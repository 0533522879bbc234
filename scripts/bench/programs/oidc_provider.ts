/**
 * The peer `oidc-provider` with its own memory adapter, a session at `/bench/session` instead of a sign-in page,
 * consent given by itself, and JWT access tokens. Run as a process: `oidc_provider PORT ALG`.
 */
import { exportJWK, generateKeyPair } from "jose";
import type { Server } from "node:http";
import process from "node:process";
import * as oidcProvider from "oidc-provider";

// The package brings no types: what is used of it.
interface Grant {
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
  };
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
const resource = "https://api.example";
const lifetime = 3600;
const { privateKey } = await generateKeyPair(alg, { extractable: true });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: "bench",
    redirect_uris: ["http://127.0.0.1:9/cb"],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
  }],
  clientDefaults: { id_token_signed_response_alg: alg },
  jwks: { keys: [{ ...await exportJWK(privateKey), alg, use: "sig", kid: "bench" }] },
  cookies: { keys: [crypto.randomUUID()] },
  ttl: {
    AccessToken: lifetime,
    AuthorizationCode: 60,
    Grant: lifetime,
    IdToken: lifetime,
    Session: lifetime,
  },
  pkce: { required: () => true },
  findAccount: (_context: Context, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  loadExistingGrant,
  interactions: { url: () => "/interaction" },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "read",
        audience: resource,
        accessTokenTTL: lifetime,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg } },
      }),
    },
  },
});

async function loadExistingGrant(context: Context): Promise<Grant | undefined> {
  const { session, client } = context.oidc;
  const existing = session.grantIdFor(client.clientId);
  if (existing) return await provider.Grant.find(existing);
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addResourceScope(resource, "read");
  await grant.save(lifetime);
  return grant;
}

provider.use(async (context, next) => {
  if (context.path !== "/bench/session") return await next();
  const session = new provider.Session();
  session.loginAccount({ accountId: "alice" });
  await session.save(lifetime);
  context.cookies.set(provider.cookieName("session"), session.id, { signed: true, httpOnly: true });
  context.body = "";
});
provider.listen(port, "127.0.0.1");
