/** Logins with the peer `oidc-provider`, as under load. Run as a process: `mock_login_oidc_provider COUNT`. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { scopes } from "../clients.ts";
import { createProvider, createSession } from "./create_oidc_provider.ts";
import { loginAlg, runLogins } from "./mock_login.ts";
import { loginByFetch } from "./mock_login_by_fetch.ts";

const scope = `openid ${scopes.api}`;
// made once, as a test would read it from a file
const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
  "sign",
]);
const key = await crypto.subtle.exportKey("jwk", privateKey);

await runLogins(async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider({ issuer, alg: loginAlg, key, issuesRefreshTokens: () => true });
  server.on("request", provider.callback());
  return {
    async login() {
      const { id } = await createSession(provider);
      const cookie = `${provider.cookieName("session")}=${id}`;
      return await loginByFetch({ authorize: `${issuer}/auth`, token: `${issuer}/token`, scope, cookie });
    },
    async dispose() {
      await once(server.close(), "close");
    },
  };
});
