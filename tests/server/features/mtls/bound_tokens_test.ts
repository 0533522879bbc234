/** Tokens are bound to the certificate of a client (RFC 8705 §3, §4), at the port for certificates as well (§5). */

import { assertEquals } from "@std/assert";
import { fromRequest } from "../../../../src/ground/http/message.ts";
import type { JournalEntry } from "../../../../src/mod.ts";
import { createPlainServer } from "../../../../src/server/server.ts";
import { trustProxies } from "../../../../src/server/runtime/trusted_proxies.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { assertRefused, claimsOf, readTokens, refusalOf, type Tokens } from "../../tokens/bearer.ts";
import {
  basic,
  createWorld,
  encodeForm,
  inWorld,
  redirectUri,
  sampleKey,
  type World,
  type WorldOptions,
} from "../../../world.ts";
import { authority, certify, openUserinfo, post, thumbprintOf } from "./certificates.ts";

const app = await certify("CN=app");
const other = await certify("CN=other");
const cnf = { "x5t#S256": thumbprintOf(app) };

const bound = {
  redirect_uris: [redirectUri],
  tls_client_certificate_bound_access_tokens: true,
  grant_types: ["authorization_code", "refresh_token"],
};

const options: WorldOptions = {
  mtls: { ca: authority.cert, port: 9443 },
  demoResource: "/resource",
  clients: [
    { ...bound, client_id: "public" },
    {
      ...bound,
      client_id: "app",
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_subject_dn: "CN=app",
    },
    {
      client_id: "unbound",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_subject_dn: "CN=app",
    },
    { client_id: "secret", client_secret: "a secret of a client", ...bound },
    {
      client_id: "api",
      client_secret: "a secret of an API",
      introspects: ["https://as.test", "https://as.test/resource"],
    },
  ],
};

async function redeemAs(
  world: World,
  client_id: string,
  certificate = app,
  changed: Readonly<Record<string, string>> = {},
): Promise<Tokens> {
  const code = await world.code({ client_id, scope: "openid", ...changed });
  const answer = await post(world, "/oauth2/token", codeForm(code, client_id, changed), certificate);
  return await readTokens(answer);
}

function codeForm(code: string, client_id: string, changed: Readonly<Record<string, string>> = {}) {
  return {
    grant_type: "authorization_code",
    code,
    client_id,
    redirect_uri: redirectUri,
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    ...changed,
  };
}

const it = testInWorld(options);

for (const client of ["public", "app"]) {
  it(`mtls: the token of the client ${client} has the certificate in cnf, and stays a bearer token (RFC 8705 §3, §3.1)`, async (world) => {
    const tokens = await redeemAs(world, client);
    assertEquals([tokens.token_type, claimsOf(tokens.access_token)["cnf"]], ["Bearer", cnf]);
    assertEquals((await openUserinfo(world, tokens.access_token, app)).status, 200);
    const said = await world.post(
      "/oauth2/introspect",
      { token: tokens.access_token },
      basic("api", "a secret of an API"),
    );
    assertEquals((await said.json()).cnf, cnf);
  });
}

it("mtls: with another certificate or none, a resource answers 401 invalid_token (RFC 8705 §3)", async (world) => {
  const { access_token: token } = await redeemAs(world, "app");
  const refused = (asked: Promise<Response>) => refusalOf(world, asked);
  const differs = [401, "invalid_token", "token_key_differs"];
  const unproven = [401, "invalid_token", "token_key_unproven"];
  assertEquals(await refused(openUserinfo(world, token, other)), differs);
  assertEquals(await refused(openUserinfo(world, token)), unproven);
  const { access_token: forApi } = await redeemAs(world, "app", app, {
    resource: "https://as.test/resource",
  });
  const asked = { headers: { authorization: `Bearer ${forApi}` } };
  const call = (certificate?: typeof app) =>
    world.fetch(new Request("https://as.test/resource", asked), certificate && { certificate });
  assertEquals(await refused(call(other)), differs);
  assertEquals(await refused(call()), unproven);
  assertEquals((await call(app)).status, 200);
});

it("mtls: a client that does not want bound tokens gets others, which need no certificate (RFC 8705 §3.4)", async (world) => {
  const { access_token: token } = await redeemAs(world, "unbound");
  assertEquals(claimsOf(token)["cnf"], undefined);
  assertEquals((await openUserinfo(world, token)).status, 200);
});

it("mtls: a client that wants bound tokens gets none without a certificate (RFC 8705 §3.4)", async (world) => {
  const code = await world.code({ client_id: "public", scope: "openid" });
  const asked = post(world, "/oauth2/token", codeForm(code, "public"));
  await assertRefused(world, asked, "400 invalid_request proof_missing");
  assertEquals(world.lastRefusal()?.expected, "a proof of possession in the handshake of TLS");
});

test("mtls: a client that wants some proof is told when its certificate is one (FAPI 2.0 §5.3.2.1-4)", async () => {
  const clients = [{ client_id: "public", redirect_uris: [redirectUri], require_bound_access_tokens: true }];
  await using world = createWorld({ ...options, clients });
  const code = await world.code({ client_id: "public" });
  const asked = post(world, "/oauth2/token", codeForm(code, "public"), app);
  await assertRefused(world, asked, "400 invalid_request proof_missing");
  assertEquals(
    world.lastRefusal()?.expected,
    "a proof of possession in the header DPoP or the handshake of TLS " +
      "(for a client with tls_client_certificate_bound_access_tokens)",
  );
});

it("mtls: a client that authenticates by other means binds its tokens, too (RFC 8705 §3)", async (world) => {
  const code = await world.code({ client_id: "secret", scope: "openid" });
  const { client_id: _, ...form } = codeForm(code, "secret");
  const authorization = basic("secret", "a secret of a client");
  const tokens = await (await post(world, "/oauth2/token", form, app, authorization)).json();
  assertEquals(claimsOf(tokens.access_token)["cnf"], cnf);
});

it("mtls: the refresh token of a public client is bound to its certificate (RFC 8705 §4)", async (world) => {
  const { refresh_token } = await redeemAs(world, "public");
  const form = { grant_type: "refresh_token", refresh_token, client_id: "public" };
  const refresh = (certificate: typeof app) => post(world, "/oauth2/token", form, certificate);
  await assertRefused(world, refresh(other), "400 invalid_grant key_differs");
  const next = await (await refresh(app)).json();
  assertEquals(claimsOf(next.access_token)["cnf"], cnf);
});

it("mtls: the aliases are the endpoints at which clients authenticate, and userinfo, with the other port (RFC 8705 §5)", async (world) => {
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  const aliases: Record<string, string> = metadata.mtls_endpoint_aliases;
  assertEquals(Object.keys(aliases).sort(), [
    "device_authorization_endpoint",
    "introspection_endpoint",
    "pushed_authorization_request_endpoint",
    "revocation_endpoint",
    "token_endpoint",
    "userinfo_endpoint",
  ]);
  for (const [name, url] of Object.entries(aliases)) {
    assertEquals(url, metadata[name].replace("https://as.test", "https://as.test:9443"), name);
  }
  assertEquals(metadata.issuer, "https://as.test");
});

it("mtls: the other port serves the aliases, and nothing else (RFC 8705 §5)", async (world) => {
  const at = (path: string, host = "as.test:9443") => world.fetch(new Request(`https://${host}${path}`));
  assertEquals((await at("/userinfo")).status, 401);
  assertEquals((await at("/userinfo", "localhost:9443")).status, 401);
  for (const path of ["/", "/oauth2/authorize", "/.well-known/openid-configuration", "/nothing"]) {
    for (const host of ["as.test:9443", "localhost:9443"]) {
      const asked = at(path, host);
      assertEquals([(await asked).status, world.lastRefusal()?.reason], [421, "other_port"], path);
    }
  }
  assertEquals((await at("/userinfo", "other.test:9443")).status, 421);
  const form = { grant_type: "refresh_token", refresh_token: "none", client_id: "app" };
  const sent = new Request("https://as.test:9443/oauth2/token", {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const answer = await world.fetch(sent, { certificate: app });
  assertEquals((await answer.json()).error, "invalid_grant");
});

for (const name of ["Client-Cert", "X-Forwarded-Client-Cert", "SSL-Cert"]) {
  test(`mtls: the header ${name} of a client has no effect, and the journal says so (RFC 8705 §6.5)`, () =>
    inWorld({ ...options, ...(name === "SSL-Cert" ? { clientCertHeader: name } : {}) }, async (world) => {
      const header = { [name]: encodeURIComponent(app.cert) };
      const noted = () => world.journal.at(-1)?.facts.advice?.reason;
      const form = { grant_type: "authorization_code", client_id: "public", code: "none" };
      await post(world, "/oauth2/token", form, undefined, header);
      assertEquals(noted(), "certificate_header_ignored");
      const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, undefined, header);
      await assertRefused(world, asked, "401 invalid_client certificate_missing");
      assertEquals(noted(), "certificate_header_ignored");
    }));
}

it("mtls: a header is noted at introspection with a secret and at userinfo, and not at pages (RFC 8705 §6.5)", async (world) => {
  const header = { "Client-Cert": encodeURIComponent(app.cert) };
  const { access_token: token } = await redeemAs(world, "unbound");
  const noted = () => world.journal.at(-1)?.facts.advice?.reason;
  const secret = basic("api", "a secret of an API");
  assertEquals((await world.post("/oauth2/introspect", { token }, { ...secret, ...header })).status, 200);
  assertEquals(noted(), "certificate_header_ignored");
  const authorization = `Bearer ${token}`;
  assertEquals((await world.get("/userinfo", { authorization, ...header })).status, 200);
  assertEquals(noted(), "certificate_header_ignored");
  assertEquals((await world.get("/userinfo", { authorization })).status, 200);
  assertEquals(noted(), undefined);
  // An entry has one advice.
  await world.post("/oauth2/introspect", { token: "unknown" }, { ...secret, ...header });
  assertEquals(noted(), "inactive_unknown");
  await world.get("/nothing", header);
  assertEquals(noted(), undefined);
});

test("mtls: an empty header, which nginx sends for a client without a certificate, is not noted (RFC 8705 §6.5)", () =>
  inWorld({ ...options, clientCertHeader: "SSL-Cert" }, async (world) => {
    const form = { grant_type: "authorization_code", client_id: "app", code: "none" };
    const asked = post(world, "/oauth2/token", form, undefined, { "SSL-Cert": "" });
    await assertRefused(world, asked, "401 invalid_client certificate_missing");
    assertEquals(world.journal.at(-1)?.facts.advice, undefined);
  }));

test("mtls: the header in which a trusted proxy writes the certificate has an effect, so it is not noted (RFC 8705 §6.5)", async () => {
  const journal: JournalEntry[] = [];
  const server = createPlainServer({
    ...{ issuer: "https://as.test", alg: "ES256", signingKeys: [sampleKey], clientCertHeader: "SSL-Cert" },
    ...{ ...options, journal: (entry) => void journal.push(entry) },
  });
  const body = encodeForm({ grant_type: "authorization_code", client_id: "app", code: "none" });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const written = [
    [encodeURIComponent(app.cert), "code_unknown", "4 characters"],
    ["no certificate", "certificate_unreadable", "a malformed header ssl-cert"],
  ] as const;
  for (const [value, reason, received] of written) {
    const request = new Request(`${server.issuer}/oauth2/token`, {
      ...{ method: "POST", body, headers: { "SSL-Cert": value, ...type } },
    });
    await trustProxies(server.answer, ["192.0.2.7"], "SSL-Cert")(fromRequest(request, "192.0.2.7"));
    const { refusal, advice } = journal.at(-1)!.facts;
    assertEquals([refusal?.reason, refusal?.received, advice], [reason, received, undefined]);
  }
  await server.close();
});
