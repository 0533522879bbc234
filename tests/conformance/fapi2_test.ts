/** The FAPI 2 plans: with mTLS, and the configuration of the plans without OpenID, whose API is the demo resource. */

import { assertEquals } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Configuration } from "../../src/mod.ts";
import { authority, certify, openUserinfo, post } from "../server/features/mtls/certificates.ts";
import { test } from "../runner.ts";
import { assertingClients, assertion, show } from "../server/tokens/assertions.ts";
import { readTokens, refusalOf } from "../server/tokens/bearer.ts";
import { createProofKey, proof } from "../server/tokens/dpop.ts";
import {
  authorizationParams,
  callbackParams,
  inWorld,
  type Params,
  redirectUri,
  sampleKey,
  verifier,
  type World,
} from "../world.ts";

const ownKey = await certify("CN=client1", { by: "itself" });
const certified = await certify("CN=client2", { dns: ["client2.example"] });
const jwk = new X509Certificate(ownKey.cert).publicKey.export({ format: "jwk" }) as JsonWebKey;
const certificates = { client1: ownKey, client2: certified };

const common = { redirect_uris: [redirectUri], tls_client_certificate_bound_access_tokens: true };
const clients = [
  {
    ...common,
    client_id: "client1",
    token_endpoint_auth_method: "self_signed_tls_client_auth",
    jwks: { keys: [jwk] },
  },
  {
    ...common,
    client_id: "client2",
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_san_dns: "client2.example",
  },
] as const;

for (const { client_id, token_endpoint_auth_method: method } of clients) {
  test(`conformance, FAPI 2: a client logs in and refreshes with ${method} (SP §5.3.2.1, RFC 8705 §3)`, () =>
    inWorld({ profile: "fapi2-security", mtls: { ca: authority.cert }, clients }, async (world) => {
      const certificate = certificates[client_id];
      const other = client_id === "client1" ? certified : ownKey;
      const request = authorizationParams({ client_id, scope: "openid" });
      const { request_uri } = await (await post(world, "/oauth2/par", request, certificate)).json();
      const query = new URLSearchParams({ client_id, request_uri });
      const code = callbackParams(await world.get(`/oauth2/authorize?${query}`)).get("code")!;
      const proof = { client_id, code_verifier: verifier, redirect_uri: redirectUri };
      const grant = { grant_type: "authorization_code", code, ...proof };
      const tokens = await readTokens(await post(world, "/oauth2/token", grant, certificate));
      assertEquals(tokens.token_type, "Bearer");
      assertEquals((await openUserinfo(world, tokens.access_token, certificate)).status, 200);
      const stolen = openUserinfo(world, tokens.access_token, other);
      assertEquals(await refusalOf(world, stolen), [401, "invalid_token", "token_key_differs"]);

      // SP §5.3.2.1-9: the server does not rotate refresh tokens.
      const again = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id };
      const unproven = post(world, "/oauth2/token", again);
      assertEquals(await refusalOf(world, unproven), [400, "invalid_client", "certificate_missing"]);
      const refreshed = await readTokens(await post(world, "/oauth2/token", again, certificate));
      assertEquals(refreshed.refresh_token, tokens.refresh_token);
      assertEquals((await openUserinfo(world, refreshed.access_token, certificate)).status, 200);
    }, { issuer: "https://localhost", signingKeys: [sampleKey], login: "auto" }));
}

const { $schema: _, ...configuration } = JSON.parse(
  await readFile("tests/conformance/fapi2.json", "utf8"),
) as Configuration & { readonly $schema: string };
const key = await createProofKey();
const authenticate = async (world: World) => show(await assertion(world, { clientId: "asserting" }));

// The suite names no resource, so a token would be for the issuer, and the API takes only tokens for itself.
const logins = [
  ["authorization_code", "read", ["/resource"]],
  ["authorization_code", "openid read", ["/resource", "/userinfo"]],
  ["client_credentials", "read", ["/resource"]],
] as const;
for (const [grantType, scope, paths] of logins) {
  test(`conformance, FAPI 2: with fapi2.json, a token of ${grantType} for "${scope}" opens ${paths.join(" and ")} (RFC 9068 §3)`, () =>
    inWorld({
      ...configuration,
      clients: [{ ...assertingClients[0]!, grant_types: [grantType] }],
      login: "auto",
      signingKeys: [sampleKey],
    }, async (world) => {
      const request = grantType === "client_credentials" ? { scope } : await redemptionOf(world, scope);
      const form = { grant_type: grantType, ...request, ...await authenticate(world) };
      const tokens = await readTokens(await world.post("/oauth2/token", form, await proof(key, world)));
      const { access_token: accessToken } = tokens;
      for (const path of paths) {
        const use = { method: "GET", url: `${world.issuer}${path}`, accessToken };
        const headers = { authorization: `DPoP ${accessToken}`, ...await proof(key, world, use) };
        assertEquals((await world.get(path, headers)).status, 200, path);
      }
    }, {}));
}

/** Pushes a request for the scope, and returns the parameters with which the client redeems the code. */
async function redemptionOf(world: World, scope: string): Promise<Params> {
  const request = authorizationParams({ client_id: "asserting", scope });
  const pushed = await world.post("/oauth2/par", { ...request, ...await authenticate(world) });
  const { request_uri } = await pushed.json();
  const query = new URLSearchParams({ client_id: "asserting", request_uri });
  const code = callbackParams(await world.get(`/oauth2/authorize?${query}`)).get("code")!;
  return { code, code_verifier: verifier, redirect_uri: redirectUri };
}
