/** as.certificate: the kit's client authenticates by a certificate and binds its tokens (RFC 8705). */

import { assert, assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { createMock, type MockOptions } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";

const app = {
  client_id: "app",
  redirect_uris: ["https://app.test/cb"],
  token_endpoint_auth_method: "tls_client_auth",
  tls_client_auth_subject_dn: "CN=app",
  tls_client_certificate_bound_access_tokens: true,
} as const;

const options: MockOptions = { alg: "ES256", mtls: {}, clients: [app] };

test("kit: the client shows its certificate in login, refresh and revoke, and its tokens are bound to it (RFC 8705 §2.1, §3)", async () => {
  await using as = await createMock(options);
  const certificate = await as.certificate("app");
  assertEquals(certificate.subject, "CN=app");
  const tokens = await as.login("alice", { pushed: true });
  assertEquals(claimsOf(tokens.access_token)["cnf"], { "x5t#S256": certificate.thumbprint });
  await as.revoke(await as.refresh(tokens));
  assertEquals(
    new Set([...as.requests].flatMap(({ clientAuth }) => clientAuth ?? [])),
    new Set(["tls_client_auth"]),
  );
});

test("kit: a client that must bind its tokens somehow uses its certificate, and no DPoP beside it (RFC 8705 §3)", async () => {
  await using as = await createMock({ ...options, clients: [{ ...app, require_bound_access_tokens: true }] });
  const { thumbprint } = await as.certificate("app");
  const { access_token, token_type } = await as.login("alice");
  assertEquals([token_type, claimsOf(access_token)["cnf"]], ["Bearer", { "x5t#S256": thumbprint }]);
});

test("kit: as.fetch shows a certificate, and as.protect takes it (RFC 8705 §3)", async () => {
  await using as = await createMock(options);
  const certificate = await as.certificate("app");
  const other = await as.certificate("stranger");
  const { access_token: token } = await as.login("alice", { scope: "openid" });
  const headers = { authorization: `Bearer ${token}` };
  const open = (init: object) => as.fetch(`${as.issuer}/userinfo`, { headers, ...init });
  assertEquals((await open({ certificate })).status, 200);
  assertEquals([(await open({ certificate: other })).status, (await open({})).status], [401, 401]);

  const protect = as.protect();
  const call = () => new Request("https://api.test/orders", { headers });
  assertEquals((await protect(call(), { certificate }) as Record<string, unknown>)["client_id"], "app");
  // One request is judged with the certificate of each call.
  const request = call();
  assert(!(await protect(request, { certificate }) instanceof Response));
  for (const connection of [{ certificate: other }, {}]) {
    const refused = await protect(request, connection);
    assertInstanceOf(refused, Response);
    assertEquals(refused.status, 401);
    assertMatch(refused.headers.get("www-authenticate")!, /Bearer.*error="invalid_token"/);
  }
  assert(!(await protect(request, { certificate }) instanceof Response));

  as.resource("https://api.test/", {}, () => Response.json({ ok: true }));
  const forApi = await as.login("alice", { resource: "https://api.test/" });
  const callApi = (init: object) =>
    as.fetch("https://api.test/orders", {
      headers: { authorization: `Bearer ${forApi.access_token}` },
      ...init,
    });
  assertEquals((await callApi({ certificate })).status, 200);
  assertEquals([(await callApi({})).status, (await callApi({ certificate: other })).status], [401, 401]);
});

test("kit: as.mint binds the token of a client to its certificate (RFC 8705 §3)", async () => {
  const spa = { client_id: "spa", redirect_uris: ["https://spa.test/cb"] };
  const bound = { tls_client_certificate_bound_access_tokens: true };
  await using as = await createMock({ ...options, clients: [app, { ...spa, ...bound }] });
  const missing = await assertRejects(() => as.mint(), TypeError);
  assertEquals(
    missing.message,
    "Cannot mint: the tokens of the client app are bound to its certificate, and it has none. " +
      'Create one with as.certificate("app"), or mint an unbound token with dpop: false',
  );
  for (const kind of ["id", "refresh"] as const) assert(await as.mint({ kind }));
  assertEquals(claimsOf(await as.mint({ dpop: false }))["cnf"], undefined);
  assertMatch(`${Object.keys(claimsOf(await as.mint({ dpop: true }))["cnf"] as object)}`, /^jkt$/);

  const certificate = await as.certificate("app");
  const token = await as.mint({ scope: "openid" });
  assertEquals(claimsOf(token)["cnf"], { "x5t#S256": certificate.thumbprint });
  const headers = { authorization: `Bearer ${token}` };
  const open = (init: object) => as.fetch(`${as.issuer}/userinfo`, { headers, ...init });
  assertEquals([(await open({ certificate })).status, (await open({})).status], [200, 401]);

  await assertRejects(
    () => as.mint({ kind: "refresh", client: "spa" }),
    TypeError,
    "bound to its certificate",
  );
  await as.certificate("spa");
  await as.refresh(await as.mint({ kind: "refresh", client: "spa" }));
});

test("kit: a client can show its certificate although the clock of the test or of the server goes back", async () => {
  await using as = await createMock(options);
  await as.certificate("app");
  as.clock.skew("-1h");
  assert((await as.login("alice")).access_token);
  as.clock.set("2015-01-01");
  // The authority is that of the first certificate.
  await as.certificate("app");
  assert((await as.login("alice")).access_token);
});

test("kit: a certificate is valid for the clock of the test, and has the names that the test chooses", async () => {
  await using as = await createMock(options);
  as.clock.advance("10000d");
  const { cert } = await as.certificate("app", {
    subject: "CN=app,O=Example",
    dns: "app.example",
    ip: ["192.0.2.1"],
    uri: "urn:app",
    email: "a@app.example",
  });
  const { subject, subjectAltName, validFrom, validTo } = new X509Certificate(cert);
  assertEquals(subject.split("\n").sort(), ["CN=app", "O=Example"]);
  for (const name of ["DNS:app.example", "192.0.2.1", "URI:urn:app", "email:a@app.example"]) {
    assert(subjectAltName!.includes(name), name);
  }
  const own = new X509Certificate((await as.certificate("app", { selfSigned: true })).cert);
  assertEquals(own.subject, own.issuer);
  const now = as.clock.now * 1000;
  assert(Date.parse(validFrom) < now);
  assertEquals(Math.round((Date.parse(validTo) - now) / 86_400_000), 3650);
  await assertRejects(() => as.certificate("app", { subject: "app" }), TypeError, "distinguished name");
  await assertRejects(() => as.certificate("app", { ip: "a.test" }), TypeError, "expected an IP address");
  await assertRejects(() => as.certificate("app", { sunject: "CN=a" } as never), TypeError, "subject");
});

test("kit: as.intercept() answers at the addresses of mtls_endpoint_aliases, too (RFC 8705 §5)", async () => {
  await using as = await createMock({ ...options, mtls: { port: 9443 } });
  using _interception = as.intercept({ onUnhandled: "error" });
  const { port } = new URL(
    (await (await as.fetch(`${as.issuer}/.well-known/oauth-authorization-server`)).json())
      .mtls_endpoint_aliases.token_endpoint,
  );
  const url = `${as.issuer}:${port}/oauth2/token`;
  assertEquals((await fetch(url, { method: "POST", body: new URLSearchParams() })).status, 400);
});

test("kit: as.fetch answers at the addresses of mtls_endpoint_aliases (RFC 8705 §5)", async () => {
  await using as = await createMock({ ...options, mtls: { port: 9443 } });
  for (const server of [as, as.tenant("bank")]) {
    const certificate = await server.certificate("app");
    const metadata = await (await as.fetch(`${server.issuer}/.well-known/openid-configuration`)).json();
    const { token_endpoint: url } = metadata.mtls_endpoint_aliases;
    assertMatch(url, /^https:\/\/as\.test:9443\//);
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "app" });
    assertEquals((await as.fetch(url, { method: "POST", body, certificate })).status, 200);
  }
});
