/** `also`: programs reach the server by another name than browsers, and tokens name the issuer only. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import type { ServerOptions } from "../../src/mod.ts";
import { register, send } from "./features/registration.ts";
import { assertCannotCreate } from "./oauth/refusals.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { assertingClients, assertion, assertionType } from "./tokens/assertions.ts";
import { createProofKey, proof } from "./tokens/dpop.ts";
import { asAgent, jwtBearer, personJwt, trusting } from "./tokens/jwt_grants.ts";
import { codeForm, createWorld, inWorld, sampleKey, type World, type WorldOptions } from "../world.ts";

const also = "http://postern:9000";
const two: WorldOptions = { also: [also], allowPrivateHttp: true };

async function readMetadata(world: World, url: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await world.get(url);
  assertEquals(response.status, 200, url);
  return await response.json();
}

function endpointsOf(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name)));
}

const documents = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

for (const path of documents) {
  test(`also: ${path} there has the issuer, and its URLs for programs (RFC 8414 §2)`, () =>
    inWorld({ ...two, registration: true }, async (world) => {
      const metadata = await readMetadata(world, also + path);
      assertEquals(metadata["issuer"], "https://as.test");
      assertEquals(endpointsOf(metadata), {
        authorization_endpoint: "https://as.test/oauth2/authorize",
        end_session_endpoint: "https://as.test/connect/logout",
        token_endpoint: `${also}/oauth2/token`,
        jwks_uri: `${also}/oauth2/jwks`,
        userinfo_endpoint: `${also}/userinfo`,
        introspection_endpoint: `${also}/oauth2/introspect`,
        revocation_endpoint: `${also}/oauth2/revoke`,
        pushed_authorization_request_endpoint: `${also}/oauth2/par`,
        device_authorization_endpoint: `${also}/oauth2/device_authorization`,
        registration_endpoint: `${also}/connect/register`,
      });
      const urls = Object.values(endpointsOf(await readMetadata(world, path)));
      assertEquals(urls.filter((url) => !`${url}`.startsWith("https://as.test/")), []);
    }));
}

const it = testInWorld(two);

it("also: an ETag of one name is none of the other, so that no answer mixes them (RFC 9110 §8.8.3)", async (world) => {
  for (const path of documents) {
    const own = (await world.get(path)).headers.get("etag")!;
    const headers = { "if-none-match": own };
    assertEquals((await world.get(path, headers)).status, 304);
    assertEquals((await world.get(also + path, headers)).status, 200);
  }
});

for (const [issuer, paths] of [["https://as.test/tenant", "root"], ["https://as.test/a/b/", undefined]]) {
  test(`also: it has the path of the issuer ${issuer}, with the paths ${paths}`, () =>
    inWorld({ ...two, issuer, ...(paths === undefined ? {} : { paths }) } as WorldOptions, async (world) => {
      const path = new URL(issuer!).pathname.replace(/\/$/, "");
      const token = paths === "root" ? "/token" : "/oauth2/token";
      const urls = [
        `${also}/.well-known/oauth-authorization-server${path}`,
        `${also}${path}/.well-known/openid-configuration`,
      ];
      for (const url of urls) {
        const metadata = await readMetadata(world, url);
        assertEquals([metadata["issuer"], metadata["token_endpoint"]], [issuer, also + path + token]);
        assertEquals((await world.get(`${metadata["jwks_uri"]}`)).status, 200);
      }
    }));
}

it("also: only configured names choose, and a third one is refused", async (world) => {
  const origins = ["http://third:9000", "http://postern:9001", "http://postern", "https://postern:443"];
  for (const origin of origins) {
    for (const path of [documents[0], "/oauth2/token", "/oauth2/authorize", "/x"]) {
      const { status, headers } = await world.get(origin + path, { origin: "https://evil.test" });
      // no script reads a server under a foreign name
      const found = [status, headers.get("access-control-allow-origin"), world.lastRefusal()?.reason];
      assertEquals(found, [421, null, "host_unknown"], origin + path);
    }
  }
  for (const name of ["x-forwarded-host", "forwarded"]) {
    const response = await world.get(documents[0]!, {
      [name]: name === "forwarded" ? `host=${also}` : "postern:9000",
    });
    assertEquals((await response.json()).token_endpoint, "https://as.test/oauth2/token");
  }
});

test("also: a page is at the issuer only, where the person's cookies are (RFC 9110 §7.4)", () =>
  inWorld({ ...two, login: "picker" }, async (world) => {
    const authorize = new URL(world.authorizeUrl());
    const paths = [
      authorize.pathname + authorize.search,
      "/",
      "/connect/logout",
      "/authorized",
      "/oauth2/account",
    ];
    for (const path of paths) {
      const response = await world.get(also + path);
      assertEquals([response.status, response.headers.get("location")], [421, null], path);
      assertEquals(response.headers.getSetCookie(), []);
      const { reason, expected, received } = world.lastRefusal()!;
      assertEquals([reason, expected, received], [
        "host_for_programs",
        "this address below https://as.test/",
        "postern:9000",
      ]);
    }
    assertEquals((await world.authorize()).status, 200);
    assertEquals((await world.get(`${also}/x`)).status, 404);
  }));

test("also: an unknown address leads to the endpoints of that name, and to the pages of the issuer", () =>
  inWorld({ ...two, issuer: "https://as.test/tenant" }, async (world) => {
    const base = `${also}/tenant`;
    const unknownPaths = [
      ["/token", `The token endpoint is ${base}/oauth2/token`],
      ["/authorize", "The authorization endpoint is https://as.test/tenant/oauth2/authorize"],
      ["/healthz", `Did you mean ${base}/health?`],
      ["/authoryzed", "Did you mean https://as.test/tenant/authorized?"],
      ["/nonsense", `The addresses of this server are listed at ${also}/.well-known/`],
    ] as const;
    for (const [asked, sentence] of unknownPaths) {
      const response = await world.get(base + asked);
      const { error_description: told } = await response.json();
      assertEquals(response.status, 404, asked);
      assertStringIncludes(told, `There is nothing at this address. ${sentence}`);
    }
    await world.get(`${also}/token`);
    assertEquals(world.lastRefusal()?.expected, `an address below ${base}/`);
  }));

it("also: tokens name the issuer, whichever name the client uses", async (world) => {
  const body = new URLSearchParams(codeForm(await world.code({ scope: "openid" })));
  const answered = await world.fetch(new Request(`${also}/oauth2/token`, { method: "POST", body }));
  assertEquals(answered.status, 200);
  const { access_token, id_token } = await answered.json();
  const [access, id] = [decodeJwt(access_token), decodeJwt(id_token)];
  assertEquals([access.iss, access.aud, id.iss, id.aud], [
    "https://as.test",
    "https://as.test",
    "https://as.test",
    "public",
  ]);
  for (const base of [also, world.issuer]) {
    const headers = { authorization: `Bearer ${access_token}` };
    assertEquals((await (await world.get(`${base}/userinfo`, headers)).json()).sub, "alice");
  }
});

const token = { method: "POST", path: "/oauth2/token" };

const proofs = [
  ["https://as.test", "https://as.test", true],
  [also, also, true],
  [also, "https://as.test", false],
  ["https://as.test", also, false],
  [also, "http://third:9000", false],
] as const;
for (const [at, htu, isRight] of proofs) {
  it(`also: at ${at}, a proof for ${htu} is ${isRight ? "right" : "wrong"} (RFC 9449 §4.3)`, async (world) => {
    const key = await createProofKey();
    const url = htu + token.path;
    const body = new URLSearchParams(codeForm(await world.code({ scope: "openid" })));
    const headers = await proof(key, world, { url });
    const answered = await world.fetch(new Request(at + token.path, { method: "POST", headers, body }));
    const name = at === also ? also : "https://as.test";
    assertEquals([answered.status, world.lastRefusal()?.reason, world.lastRefusal()?.expected], [
      ...(isRight ? [200, undefined, undefined] : [400, "dpop_url", `htu ${name}${token.path}`]),
    ]);
    if (!isRight) return;
    const { access_token: accessToken } = await answered.json();
    const userinfo = "/userinfo";
    const used = await proof(key, world, { method: "GET", url: htu + userinfo, accessToken });
    const called = await world.get(at + userinfo, { authorization: `DPoP ${accessToken}`, ...used });
    assertEquals(called.status, 200);
  });
}

const assertions = [
  ["asserting", also, "https://as.test", true],
  ["asserting", also, also, false],
  ["older", also, `${also}/oauth2/token`, true],
  ["older", also, "https://as.test/oauth2/token", false],
  ["older", "https://as.test", `${also}/oauth2/token`, false],
  ["older", "https://as.test", "https://as.test/oauth2/token", true],
] as const;
for (const [clientId, at, aud, isRight] of assertions) {
  test(`also: at ${at}, an assertion of ${clientId} for ${aud} is ${isRight ? "right" : "wrong"} (RFC 7523 §3)`, () =>
    inWorld({ ...two, clients: assertingClients }, async (world) => {
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        code: "unknown",
        client_assertion_type: assertionType,
        client_assertion: await assertion(world, { clientId, claims: { aud } }),
      });
      await world.fetch(new Request(at + token.path, { method: "POST", body }));
      assertEquals(world.lastRefusal()?.reason, isRight ? "code_unknown" : "assertion_audience");
    }));
}

const grants = [
  [also, `${also}/oauth2/token`, true],
  [also, also, false],
  ["https://as.test", `${also}/oauth2/token`, false],
] as const;
for (const [at, aud, isRight] of grants) {
  test(`also: at ${at}, a JWT of a trusted issuer for ${aud} is ${isRight ? "right" : "wrong"} (RFC 10070 §4)`, () =>
    inWorld({ ...two, ...trusting() }, async (world) => {
      const body = new URLSearchParams({
        grant_type: jwtBearer,
        assertion: await personJwt(world, { claims: { aud } }),
      });
      await world.fetch(new Request(at + token.path, { method: "POST", headers: asAgent, body }));
      assertEquals(world.lastRefusal()?.reason, isRight ? undefined : "jwt_grant_audience");
    }));
}

test("also: a client that registers there manages itself there (RFC 7592 §3)", () =>
  inWorld({ ...two, registration: true }, async (world) => {
    const metadata = { redirect_uris: ["https://app.example/cb"] };
    const { body } = await register(world, metadata);
    assertEquals(body["registration_client_uri"], `https://as.test/connect/register/${body["client_id"]}`);
    const there = await send(world, "POST", `${also}/connect/register`, { body: metadata });
    const url = `${there.body["registration_client_uri"]}`;
    assertEquals(url, `${also}/connect/register/${there.body["client_id"]}`);
    const read = await send(world, "GET", url, { token: `${there.body["registration_access_token"]}` });
    assertEquals(read.body["registration_client_uri"], url);
  }));

test("also: the API beside the server has the identifier and audience of the issuer's origin (RFC 9728 §2)", () =>
  inWorld({ ...two, demoResource: "/api" }, async (world) => {
    const refused = await world.get(`${also}/api`);
    const challenge = refused.headers.get("www-authenticate")!;
    const [, metadataUrl] = /resource_metadata="([^"]+)"/.exec(challenge)!;
    assertEquals(metadataUrl, `${also}/.well-known/oauth-protected-resource/api`);
    const { resource, authorization_servers } = await (await world.get(metadataUrl!)).json();
    assertEquals([resource, authorization_servers], ["https://as.test/api", ["https://as.test"]]);
    const key = await createProofKey();
    const bound = await world.redeem(
      await world.code({ resource }),
      {},
      await proof(key, world),
    );
    const { access_token: accessToken } = await bound.json();
    for (const [url, status] of [[`${also}/api`, 200], [resource, 401]] as const) {
      const used = await proof(key, world, { method: "GET", url, accessToken });
      const called = await world.get(`${also}/api`, { authorization: `DPoP ${accessToken}`, ...used });
      assertEquals(called.status, status, url);
    }
  }));

const wrong: readonly (readonly [also: readonly string[], sentence: string])[] = [
  [[`${also}/`], `also[0] must be written as ${also}, because its path is that of the issuer`],
  [[also, "http://POSTERN:9000"], `also[1] must be written as ${also}, because`],
  [
    ["https://as.test"],
    "also[0] must have another host or port than the issuer and the other names, not as.test",
  ],
];

for (const [names, sentence] of wrong) {
  test(`also: ${JSON.stringify(names)} is refused`, () =>
    assertCannotCreate(() => createWorld({ ...two, also: names }), sentence));
}

test("also: http at a local name needs allowPrivateHttp", () =>
  assertCannotCreate(
    () => createWorld({ also: [also] }),
    "also[0] must be https, or http on 127.0.0.1, [::1] or localhost; in a test network, set allowPrivateHttp to true " +
      `(--allow-private-http), not "${also}"`,
  ));

const quick: ServerOptions = { alg: "ES256", signingKeys: [sampleKey] };
const local: ServerOptions = { ...quick, issuer: "http://localhost:9000", allowPrivateHttp: true };

test("also: a name that other machines can reach needs clients and people of one's own", async () => {
  const reached = { ...local, also: [also] };
  await assertCannotCreate(
    () => createWorld(reached, {}),
    `clients must be configured, because other machines may reach http://localhost:9000 and ${also}, and anyone`,
  );
  const own = { ...reached, clients: [], people: [{ username: "carol" }] };
  const servers = [[{ ...own, also: ["http://127.0.0.1:9001"] }, true], [own, false]] as const;
  for (const [options, isOpen] of servers) {
    await using world = createWorld(options, {});
    const { registration_endpoint } = await readMetadata(world, documents[0]!);
    assertEquals(registration_endpoint !== undefined, isOpen);
    assertEquals((await (await world.get("/")).text()).includes("carol"), isOpen);
  }
  await assertCannotCreate(
    () => createWorld({ ...own, openIntrospection: true }, {}),
    "openIntrospection is for a server that other machines cannot reach",
  );
});

test("also: the server calls no program of this machine for a stranger, if other machines reach it", async () => {
  const document = "http://localhost:4000/client.json";
  const options = { ...local, clientDocuments: true, clients: [], people: [{ username: "carol" }] };
  for (const [names, expected] of [[["http://127.0.0.1:9001"], [document]], [[also], []]] as const) {
    const fetched: string[] = [];
    const record = (request: string | Request) => {
      fetched.push(new Request(request).url);
      return Promise.resolve(new Response("{}", { status: 404 }));
    };
    await using world = createWorld({ ...options, also: names, fetch: record }, {});
    assertEquals((await world.authorize({ client_id: document })).status, 400);
    assertEquals(fetched, [...expected]);
  }
});
