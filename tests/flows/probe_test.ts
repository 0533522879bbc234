/** Refusals that popular mocks lack: an unconfigured server refuses every request that it must refuse. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { test } from "../runner.ts";
import { basic, inWorld, type Params, sampleKey, type World } from "../world.ts";

const redirect_uri = "http://localhost:3000/callback";
const asked: Params = { client_id: "probe", redirect_uri };

/** An unconfigured server, but with automatic sign-in and a fixed key. */
function unconfigured(work: (world: World) => Promise<void>): Promise<void> {
  return inWorld({ login: "auto", alg: "ES256", signingKeys: [sampleKey] }, work, {});
}

async function outcome(response: Response): Promise<readonly [status: number, error: string | undefined]> {
  const { error, access_token } = await response.json();
  return [response.status, access_token === undefined ? error : "TOKENS"];
}

/** The redirect URI and the error or parameters that reach it, or the status of the server's page. */
function destination(response: Response): string {
  const location = response.headers.get("location");
  if (location === null) return `page ${response.status}`;
  const url = new URL(location);
  return `${url.origin}${url.pathname} ${
    url.searchParams.get("error") ?? [...url.searchParams.keys()].join()
  }`;
}

const redemptions:
  readonly (readonly [name: string, changed: Params, headers: HeadersInit, status: number, error: string])[] =
    [
      ["a code that was never issued", { code: "never-issued" }, {}, 400, "invalid_grant"],
      ["a code that looks issued", { code: `${"A".repeat(22)}.${"A".repeat(43)}` }, {}, 400, "invalid_grant"],
      ["no code", { code: undefined }, {}, 400, "invalid_request"],
      ["no verifier", { code_verifier: undefined }, {}, 400, "invalid_grant"],
      ["a wrong verifier", { code_verifier: "w".repeat(43) }, {}, 400, "invalid_grant"],
      ["a malformed verifier", { code_verifier: "short" }, {}, 400, "invalid_request"],
      [
        "the challenge for a verifier",
        { code_verifier: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" },
        {},
        400,
        "invalid_grant",
      ],
      ["a foreign redirect URI", { redirect_uri: "https://evil.example/" }, {}, 400, "invalid_grant"],
      ["no redirect URI", { redirect_uri: undefined }, {}, 400, "invalid_request"],
      ["the demo client's id", { client_id: "demo" }, {}, 400, "invalid_grant"],
      [
        "the demo client's credentials",
        { client_id: undefined },
        basic("demo-confidential", "demo-secret"),
        400,
        "invalid_grant",
      ],
      ["an unused client id", { client_id: "unused" }, {}, 401, "invalid_client"],
      ["no id", { client_id: undefined }, {}, 400, "invalid_request"],
      [
        "a wrong secret of the demo client",
        { client_id: undefined },
        basic("demo-confidential", "wrong"),
        401,
        "invalid_client",
      ],
      [
        "a bogus refresh token",
        { grant_type: "refresh_token", refresh_token: "bogus" },
        {},
        400,
        "invalid_grant",
      ],
      [
        "a person's password",
        { grant_type: "password", username: "alice", password: "x" },
        {},
        400,
        "unsupported_grant_type",
      ],
      ["a wider scope", { scope: "read admin" }, {}, 400, "invalid_scope"],
    ];

for (const [name, changed, headers, status, error] of redemptions) {
  test(`probe: ${name} yields no tokens`, () =>
    unconfigured(async (world) => {
      const code = await world.code(asked);
      const refused = await world.redeem(code, { ...asked, ...changed }, headers);
      assertEquals(await outcome(refused), [status, error]);
    }));
}

test("probe: a code works once", () =>
  unconfigured(async (world) => {
    const code = await world.code(asked);
    assertEquals(await outcome(await world.redeem(code, asked)), [200, "TOKENS"]);
    for (let time = 0; time < 3; time++) {
      assertEquals(await outcome(await world.redeem(code, asked)), [400, "invalid_grant"]);
    }
  }));

test("probe: of fifty requests for one code exactly one gets tokens (OAuth 2.1 §4.1.3)", () =>
  unconfigured(async (world) => {
    const code = await world.code(asked);
    const responses = await Promise.all(Array.from({ length: 50 }, () => world.redeem(code, asked)));
    const outcomes = await Promise.all(responses.map(outcome));
    assertEquals(outcomes.filter(([status]) => status === 200).length, 1);
    assertEquals(outcomes.filter(([, error]) => error === "invalid_grant").length, 49);
  }));

const requests: readonly (readonly [name: string, changed: Params, destination: string])[] = [
  ["a foreign redirect URI", { redirect_uri: "https://evil.example/" }, "page 400"],
  ["another redirect URI of the demo client", { client_id: "demo" }, "page 400"],
  ["no client", { client_id: undefined }, "page 400"],
  ["no redirect URI", { redirect_uri: undefined }, "page 400"],
  ["plain", { code_challenge_method: "plain" }, "page 400"],
  ["no method", { code_challenge_method: undefined }, "page 400"],
  ["no challenge", { code_challenge: undefined, code_challenge_method: undefined }, "page 400"],
  ["the implicit flow", { response_type: "token" }, "page 400"],
  ["an unsigned request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "page 400"],
];

for (const [name, changed, expected] of requests) {
  test(`probe: an authorization request with ${name} yields no code`, () =>
    unconfigured(async (world) => {
      assertEquals(destination(await world.authorize({ ...asked, ...changed })), expected);
      assertEquals(destination(await world.authorize(asked)), `${redirect_uri} code,state,iss`);
    }));
}

test("probe: errors of the configured demo client go to its redirect URI", () =>
  unconfigured(async (world) => {
    const demo = { client_id: "demo", redirect_uri: "http://localhost:9000/authorized" };
    for (const changed of [{ code_challenge_method: "plain" }, { code_challenge_method: undefined }]) {
      const response = await world.authorize({ ...demo, ...changed });
      assertEquals(destination(response), "http://localhost:9000/authorized invalid_request");
    }
  }));

test("probe: no odd value causes a 500, a stack trace or a token", () =>
  unconfigured(async (world) => {
    const texts = [
      "",
      "\u0000",
      "%",
      "x".repeat(5000),
      "🙂",
      '"\\<>',
      "a=b&c",
      "[]",
      "null",
      "../..",
      "\r\nX: y",
    ];
    const names = ["grant_type", "code", "redirect_uri", "client_id", "code_verifier", "scope", "resource"];
    const statuses = new Set<number>();
    for (const name of names) {
      for (const text of texts) {
        const response = await world.redeem("x", { ...asked, [name]: text });
        statuses.add(response.status);
        assertEquals(/\bat .*:\d+:\d+|access_token"/.test(await response.text()), false, `${name}=${text}`);
      }
    }
    for (
      const name of [
        "response_type",
        "client_id",
        "redirect_uri",
        "scope",
        "state",
        "response_mode",
        "nonce",
        "resource",
        "login_hint",
        "code_challenge",
      ]
    ) {
      for (const text of texts) {
        const response = await world.authorize({ ...asked, [name]: text });
        statuses.add(response.status);
        assertEquals(/\bat .*:\d+:\d+/.test(await response.text()), false, `${name}=${text}`);
      }
    }
    assertEquals([...statuses].sort(), [303, 400, 401]);
  }));

test("probe: without any option, the server has RS256, a sign-in page and a key of its own", () =>
  inWorld({}, async (world) => {
    const response = await world.authorize(asked);
    assertEquals([response.status, response.headers.get("location")], [200, null]);
    assert((await response.text()).includes("Sign in"));
    const [key] = (await (await world.get("/oauth2/jwks")).json()).keys;
    assertEquals([key.kty, key.alg], ["RSA", "RS256"]);
    assertNotEquals(await outcome(await world.redeem("x", { client_id: "demo" })), [200, "TOKENS"]);
  }, {}));
