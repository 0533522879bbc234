/** Access tokens with a wrong binding, as the APIs of the test kit and introspection show them (RFC 8705 §3). */

import { assertEquals, assertInstanceOf, assertNotEquals } from "@std/assert";
import {
  createMock,
  examine,
  type MisbehaviourName,
  type Mock,
  type MockOptions,
} from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

const api = "https://api.test/orders";

const options: MockOptions = {
  mtls: {},
  clients: [
    {
      client_id: "app",
      redirect_uris: ["https://app.test/callback"],
      tls_client_certificate_bound_access_tokens: true,
    },
    { client_id: "api", client_secret: "a-secret", grant_types: ["client_credentials"], introspects: [api] },
  ],
};

/** Returns the thumbprint in the introspection of a token, and the status of an API that gets the certificate, too. */
async function useToken(as: Mock) {
  const certificate = await as.certificate("app");
  const { access_token: token } = await as.login("alice", { resource: api });
  const introspection = await as.fetch(`${as.issuer}/oauth2/introspect`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("api:a-secret")}` },
    body: new URLSearchParams({ token }),
  });
  const { active, cnf } = await introspection.json();
  const call = new Request(api, { headers: { authorization: `Bearer ${token}` } });
  const answer = await as.protect({ audience: api })(call, { certificate });
  return { certificate, active, cnf, answer };
}

for (const accessTokens of ["jwt", "opaque"] as const) {
  const misbehaving = async (name: MisbehaviourName) => {
    await using as = await createMock({ ...options, accessTokens });
    using wrong = as.misbehave(name);
    const found = await useToken(as);
    assertEquals(wrong.count, 1);
    return found;
  };

  test(`misbehaviours: an access token (${accessTokens}) of mtls.thumbprint_other is for another certificate (RFC 8705 §3)`, async () => {
    const { certificate, active, cnf, answer } = await misbehaving("mtls.thumbprint_other");
    assertEquals([active, Object.keys(cnf)], [true, ["x5t#S256"]]);
    assertNotEquals(cnf["x5t#S256"], certificate.thumbprint);
    assertInstanceOf(answer, Response);
    assertEquals(answer.status, 401);
  });

  test(`misbehaviours: an access token (${accessTokens}) of mtls.cnf_missing is bound to nothing (RFC 8705 §3.2)`, async () => {
    const { active, cnf, answer } = await misbehaving("mtls.cnf_missing");
    assertEquals([active, cnf, answer instanceof Response], [true, undefined, false]);
  });
}

test("misbehaviours: mtls leaves tokens as they are that are bound to no certificate", async () => {
  await using as = await createMock();
  using wrong = as.misbehave("mtls.cnf_missing");
  await as.login("alice", { dpop: true });
  assertEquals([wrong.count, (await wrong.settled()).outcome], [0, "not_reached"]);
});

for (
  const [title, bound, outcome] of [["shows its certificate", true, "not_applicable"], [
    "has none",
    false,
    "tolerated",
  ]] as const
) {
  test(`metadata.mtls_aliases: a client that ${title} is judged if the aliases are not for it (RFC 8705 §5)`, async () => {
    const [client] = options.clients!;
    const { rows: [row] } = await examine({
      only: ["metadata.mtls_aliases"],
      options: { mtls: {}, clients: [{ ...client!, tls_client_certificate_bound_access_tokens: bound }] },
      within: 60,
      async client(as) {
        if (bound) await as.certificate("app");
        const metadata = await (await as.fetch(`${as.issuer}/.well-known/openid-configuration`)).json();
        const { token_endpoint: alias = metadata.token_endpoint } = bound
          ? metadata.mtls_endpoint_aliases ?? {}
          : {};
        if (alias !== metadata.token_endpoint) return void await as.fetch(alias, { method: "POST" });
        await as.login("alice");
      },
    });
    assertEquals(row?.outcome, outcome, row?.because);
  });
}

test("metadata.token_endpoint_query: the address for clients with certificates has the query, too (RFC 8705 §5)", async () => {
  await using as = await createMock({ mtls: { port: 9443 } });
  using _wrong = as.misbehave("metadata.token_endpoint_query");
  const metadata = await (await as.fetch(`${as.issuer}/.well-known/openid-configuration`)).json();
  const { token_endpoint, mtls_endpoint_aliases: aliases } = metadata;
  const urls = [token_endpoint, aliases.token_endpoint, aliases.revocation_endpoint];
  const queries = urls.map((url) => [new URL(url).port, new URL(url).search]);
  assertEquals(queries, [["", "?tenant=postern"], ["9443", "?tenant=postern"], ["9443", ""]]);
});
