/** Clients authenticate by a certificate (RFC 8705 §2). */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { exportJWK } from "jose";
import { X509Certificate } from "node:crypto";
import { fromRequest } from "../../../../src/ground/http/message.ts";
import type { JournalEntry } from "../../../../src/mod.ts";
import { createPlainServer } from "../../../../src/server/server.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { assertion, show } from "../../tokens/assertions.ts";
import { assertRefused, refusalOf } from "../../tokens/bearer.ts";
import { basic, createWorld, inWorld, sampleKey, type WorldOptions } from "../../../world.ts";
import { createRegistrationWorld, nativeUri, register } from "../registration.ts";
import { authority, type Certificate, certify, post, validity } from "./certificates.ts";
import * as vectors from "../../../ground/crypto/openssl_certificates.ts";

const app = await certify("CN=app,O=Example", { dns: ["app.example"] });
const other = await certify("CN=other,O=Example", { dns: ["other.example"] });
const own = await certify("CN=own", { by: "itself" });
const strange = await certify("CN=app,O=Example", { by: "itself" });

const jwkOf = async ({ cert }: Pick<Certificate, "cert">) =>
  await exportJWK(new X509Certificate(cert).publicKey) as Record<string, string>;

const jwks = { keys: [await jwkOf(own)] };
const grantTypes = ["client_credentials"];

const options: WorldOptions = {
  mtls: { ca: authority.cert },
  clients: [
    {
      client_id: "app",
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_subject_dn: "CN=app,O=Example",
      grant_types: grantTypes,
    },
    {
      client_id: "named",
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_san_dns: "APP.example",
      grant_types: grantTypes,
    },
    {
      client_id: "own",
      token_endpoint_auth_method: "self_signed_tls_client_auth",
      jwks,
      grant_types: grantTypes,
    },
    { client_id: "secret", client_secret: "a secret of a client", grant_types: grantTypes },
  ],
};

const form = { grant_type: "client_credentials" };

const it = testInWorld(options);

it("tls_client_auth: the subject and the chain authenticate the client (RFC 8705 §2.1)", async (world) => {
  for (const client_id of ["app", "named"]) {
    const answer = await post(world, "/oauth2/token", { ...form, client_id }, app);
    assertEquals([answer.status, (await answer.json()).token_type], [200, "Bearer"]);
  }
});

const refusedCases: readonly (readonly [string, string, Certificate | undefined, string, string])[] = [
  ["tls_client_auth", "app", undefined, "certificate_missing", "§2"],
  ["tls_client_auth", "app", other, "certificate_subject_differs", "§2.1.2"],
  ["tls_client_auth", "named", other, "certificate_subject_differs", "§2.1.2"],
  ["tls_client_auth", "app", strange, "certificate_untrusted", "§2.1"],
  ["self_signed_tls_client_auth", "own", undefined, "certificate_missing", "§2"],
  ["self_signed_tls_client_auth", "own", app, "certificate_key_differs", "§2.2"],
];

for (const [method, client_id, certificate, reason, section] of refusedCases) {
  it(`${method}: ${client_id} with ${certificate === undefined ? "no" : "another"} certificate is invalid_client, ${reason} (RFC 8705 ${section})`, async (world) => {
    const asked = post(world, "/oauth2/token", { ...form, client_id }, certificate);
    assertEquals(await refusalOf(world, asked), [401, "invalid_client", reason]);
  });
}

test("tls_client_auth: the refusal names the addresses of the certificate as a client registers them (RFC 8705 §2.1.2, RFC 5952 §4)", async () => {
  const placed = await certify("CN=app", { ip: ["2001:DB8:0:0::7", "192.0.2.1"] });
  const client = { ...method, tls_client_auth_san_ip: "2001:db8::8" };
  await using world = createWorld({ mtls: { ca: authority.cert }, clients: [client] });
  const asked = post(world, "/oauth2/token", { ...form, client_id: "a" }, placed);
  await assertRefused(world, asked, "401 invalid_client certificate_subject_differs");
  assertEquals(world.lastRefusal()?.received, "2001:db8::7, 192.0.2.1");
});

test("mtls: a certificate whose key the runtime has not checked is invalid_client (RFC 8705 §2)", async () => {
  const journal: JournalEntry[] = [];
  const key = { alg: "ES256", signingKeys: [sampleKey] } as const;
  const server = createPlainServer({ ...options, ...key, journal: (entry) => void journal.push(entry) });
  for (const client_id of ["app", "own"]) {
    const request = new Request(`${server.issuer}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ ...form, client_id }),
    });
    const certificate = { chain: [], isUnproven: true } as const;
    const { status } = await server.answer(fromRequest(request, undefined, undefined, certificate));
    assertEquals([status, journal.at(-1)?.facts.refusal?.reason], [401, "certificate_unproven"]);
  }
  await server.close();
});

it("self_signed_tls_client_auth: a key of jwks authenticates the client, without a chain and without dates (RFC 8705 §2.2)", async (world) => {
  const answer = await post(world, "/oauth2/token", { ...form, client_id: "own" }, own);
  assertEquals(answer.status, 200);
  world.clock.now = validity.until + 1;
  assertEquals((await post(world, "/oauth2/token", { ...form, client_id: "own" }, own)).status, 200);
});

test("self_signed_tls_client_auth: the keys are at jwks_uri, and a new one is fetched (RFC 8705 §2.2.2)", async () => {
  const next = await certify("CN=next", { by: "itself" });
  let keys = [await jwkOf(own)];
  const uri = "https://app.example/jwks.json";
  const client = {
    client_id: "far",
    token_endpoint_auth_method: "self_signed_tls_client_auth",
    jwks_uri: uri,
    grant_types: grantTypes,
  };
  const fetch = () => Promise.resolve(Response.json({ keys }));
  await using world = createWorld({ ...options, clients: [client], fetch });
  const ask = (certificate: Certificate) =>
    post(world, "/oauth2/token", { ...form, client_id: "far" }, certificate);
  assertEquals((await ask(own)).status, 200);
  await assertRefused(world, ask(next), "401 invalid_client certificate_key_differs");
  keys = [await jwkOf(next)];
  assertEquals((await ask(next)).status, 200);
});

test("self_signed_tls_client_auth: a key for encryption does not authenticate (RFC 8705 §2.2, RFC 7517 §4.2)", async () => {
  const decrypting = await certify("CN=own", { by: "itself" });
  const keys = [...jwks.keys, { ...await jwkOf(decrypting), use: "enc" }];
  const client = { ...options.clients![2]!, jwks: { keys } };
  await using world = createWorld({ mtls: {}, clients: [client] });
  const ask = (certificate: Certificate) =>
    post(world, "/oauth2/token", { ...form, client_id: "own" }, certificate);
  await assertRefused(world, ask(decrypting), "401 invalid_client certificate_key_differs");
  assertEquals((await ask(own)).status, 200);
});

it("mtls: each request names its client by client_id (RFC 8705 §2)", async (world) => {
  const asked = post(world, "/oauth2/token", form, app);
  await assertRefused(world, asked, "400 invalid_request client_id_missing");
});

it("mtls: a certificate does not replace the registered method, and other credentials do not stand beside it (RFC 8705 §2)", async (world) => {
  const asked = post(world, "/oauth2/token", { ...form, client_id: "secret" }, app);
  await assertRefused(world, asked, "401 invalid_client secret_missing");
  const withSecret = basic("app", "a secret of a client");
  assertEquals((await post(world, "/oauth2/token", form, app, withSecret)).status, 401);
  const asserting = { ...form, ...show(await assertion(world, { clientId: "app" })) };
  const asserted = post(world, "/oauth2/token", asserting, app);
  await assertRefused(world, asserted, "401 invalid_client method_not_registered");
  const right = await post(world, "/oauth2/token", form, app, basic("secret", "a secret of a client"));
  assertEquals(right.status, 200);
});

const allButNone = ["tls_client_auth", "self_signed_tls_client_auth", "client_secret_basic"] as const;

test("mtls: without the method none, the first use of a client needs credentials, too (RFC 7591 §2)", () =>
  inWorld({ ...options, firstUse: true, clientAuthMethods: allButNone }, async (world) => {
    const code = await world.code({ client_id: "new", redirect_uri: "http://localhost/cb" });
    const redeemed = world.redeem(code, { client_id: "new", redirect_uri: "http://localhost/cb" });
    await assertRefused(world, redeemed, "401 invalid_client auth_method_refused");
  }));

it("mtls: a certificate authenticates where the metadata says so: PAR, revocation, introspection (RFC 8705 §2)", async (world) => {
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  const { access_token: token } =
    await (await post(world, "/oauth2/token", { ...form, client_id: "app" }, app)).json();
  for (const [name, params] of [["introspection", { token }], ["revocation", { token }]] as const) {
    const methods = metadata[`${name}_endpoint_auth_methods_supported`];
    assertEquals(methods.includes("tls_client_auth"), true, name);
    const { pathname } = new URL(metadata[`${name}_endpoint`]);
    const sent = (certificate: Certificate) =>
      post(world, pathname, { ...params, client_id: "app" }, certificate);
    await assertRefused(world, sent(other), "401 invalid_client certificate_subject_differs");
    assertEquals((await sent(app)).status, 200, name);
  }
});

test("tls_client_auth: without an authority in mtls.ca no client may use it, and the metadata has no such method", async () => {
  await inWorld({ mtls: {} }, async (world) => {
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    const methods = metadata.token_endpoint_auth_methods_supported;
    assertEquals([methods.includes("tls_client_auth"), methods.includes("self_signed_tls_client_auth")], [
      false,
      true,
    ]);
    assertEquals(metadata.tls_client_certificate_bound_access_tokens, true);
    assertEquals(metadata.mtls_endpoint_aliases, undefined);
  });
  assertThrows(() => createWorld({ ...options, mtls: {} }), TypeError, "token_endpoint_auth_method");
  await using world = createWorld();
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  assertEquals(metadata.tls_client_certificate_bound_access_tokens, undefined);
  assertEquals(metadata.token_endpoint_auth_methods_supported.includes("self_signed_tls_client_auth"), false);
});

const method = { client_id: "a", token_endpoint_auth_method: "tls_client_auth", grant_types: grantTypes };

const wrongClients = [
  [method, /tls_client_auth_subject_dn/],
  [{ ...method, tls_client_auth_subject_dn: "CN=a", tls_client_auth_san_dns: "a" }, /must be left out/],
  [{ ...method, tls_client_auth_subject_dn: "app" }, /distinguished name/],
  [{ ...method, tls_client_auth_san_ip: "300.1.1.1" }, /IP address/],
  [{ ...method, tls_client_auth_san_uri: "a b" }, /URI/],
  [{ ...method, tls_client_auth_san_email: "a" }, /email/],
  [{ ...method, token_endpoint_auth_method: "self_signed_tls_client_auth" }, /jwks/],
  [
    {
      ...method,
      token_endpoint_auth_method: "client_secret_basic",
      client_secret: "x",
      tls_client_auth_san_dns: "a",
    },
    /tls_client_auth_san_dns must be left out, or token_endpoint_auth_method must be tls_client_auth/,
  ],
  [
    {
      ...method,
      tls_client_auth_san_dns: "a",
      dpop_bound_access_tokens: true,
      tls_client_certificate_bound_access_tokens: true,
    },
    /dpop_bound_access_tokens/,
  ],
] as const;

for (const [client, expected] of wrongClients) {
  test(`tls_client_auth: a client with ${Object.keys(client).slice(3).join(" and ") || "no subject"} is refused at start (${expected.source}, RFC 8705 §2.1.2)`, () => {
    const error = assertThrows(() => createWorld({ ...options, clients: [client] }), TypeError);
    assertMatch(error.message, expected);
  });
}

test("tls_client_auth: a subject of another form is refused at start, whatever is wrong in it (RFC 8705 §2.1.2)", () => {
  const wrong = {
    tls_client_auth_san_dns: [
      ["app example", "https://app.example", "app.example/", "app@a.example"],
      "host",
    ],
    tls_client_auth_san_uri: [["/app", "app.example"], "an absolute URI"],
    tls_client_auth_san_ip: [["192.0.2.1/32", " 192.0.2.1", "::1 "], "an IP address"],
    tls_client_auth_san_email: [["a@b example", " a@b", "a@b ", "@b", "a@"], "an email address"],
  } as const;
  for (const [name, [values, expected]] of Object.entries(wrong)) {
    for (const value of values) {
      const clients = [{ ...method, [name]: value }];
      const error = assertThrows(() => createWorld({ ...options, clients }), TypeError, undefined, value);
      assertMatch(error.message, new RegExp(`${name} must be .*${expected}`));
    }
  }
});

test("tls_client_auth: the refusal of two subjects at registration names the section in ASCII (RFC 6749 §5.2, RFC 7591 §3.2.2)", async () => {
  const world = createRegistrationWorld({ mtls: { ca: authority.cert } });
  const { body } = await register(world, {
    redirect_uris: [nativeUri],
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: "CN=a",
    tls_client_auth_san_dns: "a.example",
  });
  assertEquals(body["error"], "invalid_client_metadata");
  assertMatch(`${body["error_description"]}`, /\(RFC 8705 section 2\.1\.2\)/);
});

test("mtls: the option must have certificates, and a port needs https", () => {
  const error = assertThrows(() => createWorld({ mtls: { ca: "DER" } }), TypeError);
  assertMatch(
    error.message,
    /mtls\.ca must be the certificates themselves in PEM, .*; --mtls-ca reads a file/,
  );
  const plain = assertThrows(
    () => createWorld({ issuer: "http://localhost:9000", mtls: { port: 9443 } }),
    TypeError,
  );
  assertMatch(plain.message, /mtls\.port needs TLS/);
});

const plainName = "CN=old,emailAddress=a@b.example,DC=net,DC=example";
const leafName = 'CN=app é,OU=a+UID=7,O=Pipe\\, Inc. \\"A\\",C=DE';
const { intermediate, leaf, plain } = vectors;

/** Chains that OpenSSL has made, and the name of the client. */
const chains: readonly (readonly [what: string, chain: readonly string[], name: string, reason?: string])[] =
  [
    ["signed by the authority", [plain], plainName],
    ["with the intermediate one", [leaf, intermediate], leafName],
    ["with more than it needs, in another order", [leaf, vectors.root, intermediate], leafName],
    ["without the intermediate one", [leaf], leafName, "certificate_untrusted"],
    [
      "signed by another key than that of the authority",
      [vectors.forged],
      "CN=forged",
      "certificate_untrusted",
    ],
  ];

for (const [what, chain, name, reason] of chains) {
  test(`tls_client_auth: a certificate ${what} is ${reason ?? "accepted"} (RFC 5280 §6)`, () => {
    const clients = [{ ...method, tls_client_auth_subject_dn: name }];
    return inWorld({ mtls: { ca: vectors.root }, clients }, async (world) => {
      const asked = post(world, "/oauth2/token", { ...form, client_id: "a" }, { cert: chain.join("") });
      if (reason === undefined) assertEquals((await asked).status, 200);
      else await assertRefused(world, asked, `401 invalid_client ${reason}`);
    });
  });
}
