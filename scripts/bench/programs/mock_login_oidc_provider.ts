/**
 * Logins with the peer `oidc-provider`. Its key, session and grant are created directly instead of through a page; its
 * access tokens are JWTs for one API. Run as a process: `mock_login_oidc_provider COUNT`.
 */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import * as oidcProvider from "oidc-provider";
import { person, publicClient, scopes } from "../clients.ts";
import { describeResource, lifetime, resource } from "../oidc_resource.ts";
import { loginAlg, runLogins } from "./mock_login.ts";
import { loginByFetch } from "./mock_login_by_fetch.ts";

// the package has no types; these are the parts used here
interface Provider {
  readonly Grant: new (details: { accountId: string; clientId: string }) => {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(ttl: number): Promise<string>;
  };
  readonly Session: new () => {
    readonly id: string;
    loginAccount(details: { accountId: string }): void;
    save(ttl: number): Promise<string>;
  };
  cookieName(name: string): string;
  callback(): RequestListener;
}
const { Provider } = oidcProvider as unknown as {
  Provider: new (issuer: string, configuration: Record<string, unknown>) => Provider;
};

const { client_id: clientId } = publicClient;
const { username: accountId } = person;
const scope = `openid ${scopes.api}`;
// made once, as a test would read it from a file
const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
  "sign",
]);
const key = { ...await crypto.subtle.exportKey("jwk", privateKey), alg: loginAlg, use: "sig" };

await runLogins(async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(issuer);
  server.on("request", provider.callback());
  return {
    async login() {
      const session = new provider.Session();
      session.loginAccount({ accountId });
      await session.save(lifetime);
      const cookie = `${provider.cookieName("session")}=${session.id}`;
      return await loginByFetch({ authorize: `${issuer}/auth`, token: `${issuer}/token`, scope, cookie });
    },
    async dispose() {
      await once(server.close(), "close");
    },
  };
});

function createProvider(issuer: string): Provider {
  const provider = new Provider(issuer, {
    clients: [publicClient],
    clientDefaults: { id_token_signed_response_alg: loginAlg },
    jwks: { keys: [key] },
    ttl: {
      AccessToken: lifetime,
      AuthorizationCode: 60,
      Grant: lifetime,
      IdToken: lifetime,
      RefreshToken: lifetime,
      Session: lifetime,
    },
    findAccount: () => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    async loadExistingGrant() {
      const grant = new provider.Grant({ accountId, clientId });
      grant.addOIDCScope("openid");
      grant.addResourceScope(resource, scopes.api);
      await grant.save(lifetime);
      return grant;
    },
    interactions: { url: () => "/interaction" },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => describeResource(loginAlg),
      },
    },
  });
  return provider;
}
