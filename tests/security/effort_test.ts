/** The effort for a text grows at most linearly with its length (ReDoS, quadratic look-ups). */

import { assert, assertEquals } from "@std/assert";
import { measureEffort } from "../effort.ts";
import { test } from "../runner.ts";
import {
  basic,
  callbackParams,
  createWorld,
  encodeForm,
  type Params,
  redirectUri,
  verifier,
  type World,
} from "../world.ts";
import { authority } from "../server/features/mtls/certificates.ts";
import { formType } from "./site.ts";

/** Measures the effort of a request, and returns it with the status. */
async function measureRequest(
  world: World,
  request: Request,
): Promise<{ readonly effort: number; readonly status: number }> {
  let status = 0;
  const effort = await measureEffort(async () => {
    const response = await world.fetch(request);
    await response.text();
    status = response.status;
  });
  return { effort, status };
}

/** Compares the minimum efforts of several rounds, because noise only adds. */
async function assertLinear(
  length: number,
  work: (length: number) => Promise<number>,
  because: string,
): Promise<void> {
  await work(Math.ceil(length / 8));
  let half = Infinity;
  let whole = Infinity;
  for (let round = 1; round <= 8; round++) {
    half = Math.min(half, await work(length / 2), await work(length / 2));
    whole = Math.min(whole, await work(length), await work(length));
    // A very small effort cannot be measured and is fine.
    if (whole < 1 || (round > 2 && whole < 20 && whole / half < 3)) return;
  }
  throw new Error(`${because}: an effort of ${half.toFixed(1)}, and ${whole.toFixed(1)} for twice as much`);
}

const maximum = 50_000;

type Build = (world: World, length: number) => Request;

const header = (name: string, value: (length: number) => string): Build => (world, length) =>
  new Request(`${world.issuer}/oauth2/token`, {
    method: "POST",
    body: "grant_type=authorization_code&code=x&client_id=public",
    headers: { ...formType, [name]: value(length) },
  });

const cookie = (value: (length: number) => string): Build => (world, length) =>
  new Request(world.authorizeUrl(), { headers: { cookie: value(length) } });

const etag = (value: (length: number) => string): Build => (world, length) =>
  new Request(`${world.issuer}/.well-known/oauth-authorization-server`, {
    headers: { "if-none-match": value(length) },
  });

const form = (path: string, params: (length: number) => Params | string): Build => (world, length) => {
  const body = params(length);
  const text = typeof body === "string" ? body : encodeForm(body);
  return new Request(world.issuer + path, { method: "POST", headers: formType, body: text });
};

const authorize = (name: string, value: (length: number) => string): Build =>
  form("/oauth2/authorize", (length) => ({
    client_id: "public",
    redirect_uri: redirectUri,
    response_type: "code",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    [name]: value(length),
  }));

const token = (name: string, value: (length: number) => string): Build =>
  form("/oauth2/token", (length) => ({
    grant_type: "authorization_code",
    code: "x",
    client_id: "public",
    redirect_uri: redirectUri,
    code_verifier: verifier,
    [name]: value(length),
  }));

const register = (metadata: (length: number) => object): Build => (world, length) =>
  new Request(`${world.issuer}/connect/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: ["https://app.example/cb"], ...metadata(length) }),
  });

const mtls = { token_endpoint_auth_method: "tls_client_auth", grant_types: ["client_credentials"] };

const repeat = (text: string, end = "") => (length: number) => text.repeat(length / text.length) + end;

/** Requests for every pattern and every list that the server applies to a request. */
const adversaries: Readonly<Record<string, Build>> = {
  "Content-Type of spaces": header(
    "content-type",
    (length) => `application/x-www-form-urlencoded${" ".repeat(length)}x`,
  ),
  "Content-Type of semicolons": header(
    "content-type",
    (length) => `application/x-www-form-urlencoded${" ;".repeat(length / 2)}`,
  ),
  "Authorization of spaces": header("authorization", (length) => `Basic${" ".repeat(length)}x *`),
  "Authorization of base64": header("authorization", repeat("A", "*")),
  "Authorization, well-formed and long": header(
    "authorization",
    (length) => `Basic ${btoa(":".repeat(length / 2))}`,
  ),
  "Authorization of percent signs": header(
    "authorization",
    (length) => `Basic ${btoa(`a:${"%41".repeat(length / 4)}%`)}`,
  ),
  "Accept": header("accept", repeat("text/html;")),
  "Sec-Fetch-Site": header("sec-fetch-site", repeat("same-origin ")),
  "Cookie of pairs": cookie(repeat("a=b; ")),
  "Cookie of spaces": cookie((length) => `${" ".repeat(length)}=x;${" ".repeat(10)}`),
  "If-None-Match of commas": etag(repeat(",")),
  "If-None-Match of spaces": etag((length) => `"x${" ".repeat(length)}"`),
  "scope of one name": authorize("scope", repeat("a")),
  "scope of many names": authorize("scope", (length) => names(length).join(" ")),
  "scope of spaces": authorize("scope", repeat(" ")),
  "scope that fails at its end": authorize("scope", repeat("a", '"')),
  "state": authorize("state", repeat("\u0000é")),
  "resource": authorize("resource", repeat("a", ":")),
  "redirect_uri of digits": authorize("redirect_uri", (length) => `http://localhost:${"1".repeat(length)}`),
  "redirect_uri of labels": authorize("redirect_uri", (length) => `https://${"a.".repeat(length / 2)}test`),
  "redirect_uri of labels that fail": authorize(
    "redirect_uri",
    (length) => `https://${"test.".repeat(length / 5)}!`,
  ),
  "redirect_uri of at signs": authorize("redirect_uri", (length) => `https://${"@".repeat(length)}`),
  "client_id to make visible": authorize("client_id", repeat("\u200b")),
  "response_type": authorize("response_type", repeat("code ")),
  "code_challenge": authorize("code_challenge", repeat("a", "=")),
  "code": token("code", repeat("a.")),
  "code_verifier": token("code_verifier", repeat("a", "=")),
  "client_secret": token("client_secret", repeat("é")),
  "form of separators": form("/oauth2/token", repeat("&")),
  "form of percent signs": form("/oauth2/token", (length) => `a=${"%41".repeat(length / 3)}%`),
  "encrypted form": form("/oauth2/sign_in", (length) => ({ request: "A".repeat(length), person: "alice" })),
  "error_description": form(
    "/authorized",
    (length) => ({ error: "x", error_description: "\u202e".repeat(length / 4) }),
  ),
  "email address of a certificate": register((length) => ({
    ...mtls,
    tls_client_auth_san_email: `${"@".repeat(length)} `,
  })),
  "subject of a certificate": register((length) => ({
    ...mtls,
    tls_client_auth_subject_dn: `CN=a${"\\ ".repeat(length / 2)}"`,
  })),
  "redirect URIs": register((length) => ({
    redirect_uris: names(length / 6).map((name) => `https://app.example/${name}`),
  })),
  "URI for the sign-out": register((length) => ({ post_logout_redirect_uris: [repeat("a.")(length)] })),
  "registered scope": register((length) => ({ scope: names(length).join(" ") })),
  "contacts": register((length) => ({ contacts: names(length) })),
  "grant types": register((length) => ({ grant_types: names(length) })),
  "keys of a client": register((length) => ({
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: names(length / 12).map((kid) => ({ kty: "OKP", crv: "Ed25519", x: "a", kid })) },
  })),
  "names of a client": register((length) =>
    Object.fromEntries(names(length / 6).map((name) => [`client_name#${name.replaceAll("_", "a")}`, "a"]))
  ),
  "code on the callback page": form("/authorized", (length) => ({ code: "'".repeat(length / 2) })),
};

function names(length: number): string[] {
  return Array.from(
    { length: Math.floor(length / 4) },
    (_none, index) => index.toString(36).padStart(3, "_"),
  );
}

for (const [what, build] of Object.entries(adversaries)) {
  test(`effort: 50 KB of ${what}: twice the length takes at most three times the effort`, async () => {
    const world = createWorld({
      ...{ firstUse: true, scopes: {}, login: "picker" },
      ...{ registration: { open: true }, mtls: { ca: authority.cert } },
    });
    // Advances the clock, so that no attempt is throttled.
    await assertLinear(maximum, async (length) => {
      world.clock.advance(61);
      const { effort, status } = await measureRequest(world, build(world, length));
      assert(status < 500, `${what}: ${status}`);
      return effort;
    }, what).finally(() => world.close());
  });
}

test("effort: narrowing a scope of thousands of names: twice the names take at most three times the effort", async () => {
  const world = createWorld();
  await assertLinear(3500, async (count) => {
    const all = names(count * 4);
    const response = await world.fetch(authorize("scope", () => all.join(" "))(world, 0));
    const code = callbackParams(response).get("code")!;
    // In reversed order each name is found last, and one name is missing: the worst case of a linear search.
    const scope = [...all.slice(1).reverse(), "beyond"].join(" ");
    const { effort, status } = await measureRequest(
      world,
      form("/oauth2/token", () => ({
        grant_type: "authorization_code",
        code,
        client_id: "public",
        redirect_uri: redirectUri,
        code_verifier: verifier,
        scope,
      }))(world, 0),
    );
    assertEquals([status, world.lastRefusal()?.reason], [400, "scope_not_granted"]);
    return effort;
  }, "scope").finally(() => world.close());
});

const megabyte = 1_000_000;

/** Very large requests, which the server refuses with little effort. */
const floods: Readonly<Record<string, Build>> = {
  "100,000 parameters in a form": form("/oauth2/token", () => "a=b&".repeat(100_000)),
  "10 MB of separators in a form": form("/oauth2/authorize", () => "&".repeat(10 * megabyte)),
  "one parameter of a megabyte in a query": (world) =>
    new Request(world.authorizeUrl({ state: "x".repeat(megabyte) })),
  "100,000 scopes in a query": (world) =>
    new Request(world.authorizeUrl({ scope: names(400_000).join(" ") })),
  "1,000 resources in a form": form(
    "/oauth2/token",
    () => "client_id=public&" + "resource=a:b&".repeat(1000),
  ),
  "JSON of 10,000 levels": form("/oauth2/token", () => "[".repeat(10_000) + "]".repeat(10_000)),
  "a path of a megabyte": (world) => new Request(`${world.issuer}/${"a/".repeat(megabyte / 2)}`),
};

const most = 20;

for (const [what, build] of Object.entries(floods)) {
  test(`effort, ${what}: is refused with little effort, and the next request is answered`, async () => {
    const world = createWorld();
    try {
      const seen: number[] = [];
      for (let attempt = 0; attempt < 5; attempt++) {
        const { effort, status } = await measureRequest(world, build(world, 0));
        assert([400, 401, 413, 414].includes(status), `${status}`);
        seen.push(effort);
        if (effort < most) break;
      }
      assert(seen.some((effort) => effort < most), `efforts of ${seen.map(Math.round)}`);
      assertEquals((await world.redeem(await world.code())).status, 200);
    } finally {
      await world.close();
    }
  });
}

test("effort: a grant with the maximum number of scopes does not delay other requests", async () => {
  const world = createWorld();
  let least = Infinity;
  for (let attempt = 0; attempt < 5 && least > most; attempt++) {
    const { effort, status } = await measureRequest(
      world,
      authorize("scope", () => names(15_000).join(" "))(world, 0),
    );
    assertEquals(status, 303);
    least = Math.min(least, effort);
  }
  const { authorization } = basic("basic", "basic secret: a+b%c");
  assertEquals((await world.redeem("x", { client_id: undefined }, { authorization })).status, 400);
  await world.close();
  assert(least <= most, `an effort of ${least}`);
});
