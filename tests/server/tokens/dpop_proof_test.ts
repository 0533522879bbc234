/** Which DPoP proofs the server accepts (RFC 9449 §4.3). */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { exportJWK } from "jose";
import { createProofKeys, readDpopProof } from "../../../src/server/oauth/tokens/dpop_proof.ts";
import { signingAlgorithms } from "../../../src/ground/crypto/platform.ts";
import { readDpop } from "../../../src/server/oauth/contracts/dpop_settings.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { inWorld, redirectUri, verifier, type World } from "../../world.ts";
import { claimsOf, encodePart, readTokens, refusalOf } from "./bearer.ts";
import { boundTokens, createProofKey, proof, type ProofUse, signProof } from "./dpop.ts";

const key = await createProofKey();

const invalid = (reason: string) => [400, "invalid_dpop_proof", reason];

async function redeem(world: World, dpop: string): Promise<readonly unknown[]> {
  return await refusalOf(world, world.redeem(await world.code(), {}, { dpop }));
}

const unsigned = (alg: string) =>
  `${encodePart({ typ: "dpop+jwt", alg, jwk: key.publicJwk })}.${encodePart({})}.${encodePart("x")}`;

/** Texts of the header that are not a proof. */
const texts: Readonly<
  Record<string, readonly [text: string | ((world: World) => Promise<string>), reason: string]>
> = {
  "text that is not a JWT": ["abc", "dpop_malformed"],
  "an empty header": ["", "dpop_malformed"],
  "a JWE": ["e30.e30.e30.e30.e30", "dpop_malformed"],
  "a header that is not JSON": ["eA.eA.eA", "dpop_malformed"],
  "the algorithm none": [unsigned("none"), "dpop_algorithm"],
  "the algorithm HS256": [unsigned("HS256"), "dpop_algorithm"],
  "a changed signature": [async (world) => {
    const text = await signProof(key, world);
    const at = text.lastIndexOf(".") + 5;
    return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
  }, "dpop_signature"],
};

const it = testInWorld({});

it("dpop: a text that is no proof is refused (RFC 9449 §4.3)", async (world) => {
  for (const [name, [text, reason]] of Object.entries(texts)) {
    const dpop = typeof text === "string" ? text : await text(world);
    assertEquals(await redeem(world, dpop), invalid(reason), name);
  }
});

it("dpop: two DPoP headers are refused (RFC 9449 §4.3)", async (world) => {
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
  for (let count = 0; count < 2; count++) headers.append("dpop", await signProof(key, world));
  const body = `grant_type=authorization_code&client_id=public&code=x`;
  const request = new Request(`${world.issuer}/oauth2/token`, { method: "POST", headers, body });
  assertEquals(await refusalOf(world, world.fetch(request)), invalid("dpop_header_repeated"));
});

// Parsers would read each of these as the URL of the token endpoint.
const mendedUrls = [
  "https://as.test/oauth2\\token?x",
  "https://as.test/oauth2/to\tken",
  "https://as.\r\ntest/oauth2/token",
  "https://as.test/oauth2/token ",
  "https://as.test/oauth2/token?a b",
  "https://as.test/oauth2/token\0",
];

// The type is the whole text, as a media type without or with "application/".
const otherTypes = ["JWT", "", "x-dpop+jwt", "dpop+jwt; v=1", "application/x/dpop+jwt", "text/dpop+jwt"];

// In seconds, as RFC 9449 §11.1 leaves them to the server.
const lifetime = 60;
const skew = 60;
const hour = 3600;
type Change = readonly [use: ProofUse | ((now: number) => ProofUse), reason: string];

/** Changes that make a proof wrong. */
const changes: Readonly<Record<string, Change>> = {
  "no typ": [{ header: { typ: undefined } }, "dpop_type"],
  ...Object.fromEntries(otherTypes.map((typ): [string, Change] => [
    `the typ ${JSON.stringify(typ)}`,
    [{ header: { typ } }, "dpop_type"],
  ])),
  "no jwk": [{ header: { jwk: undefined } }, "dpop_key"],
  "a jwk that is text": [{ header: { jwk: "key" } }, "dpop_key"],
  "a symmetric jwk": [{ header: { jwk: { kty: "oct", k: "c2VjcmV0" } } }, "dpop_key"],
  "a jwk for another algorithm": [{
    header: { jwk: { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" } },
  }, "dpop_key"],
  "a jwk without y": [{ header: { jwk: { ...key.publicJwk, y: undefined } } }, "dpop_key"],
  "a jwk for encryption": [{ header: { jwk: { ...key.publicJwk, use: "enc" } } }, "dpop_key"],
  "no jti": [{ claims: { jti: undefined } }, "dpop_id"],
  "an empty jti": [{ claims: { jti: "" } }, "dpop_id"],
  "a jti that is a number": [{ claims: { jti: 1 } }, "dpop_id"],
  "another htm": [{ claims: { htm: "GET" } }, "dpop_method"],
  "an htm in lower case": [{ claims: { htm: "post" } }, "dpop_method"],
  "an htu that is a list": [{ claims: { htu: ["https://as.test/oauth2/token"] } }, "dpop_url"],
  "the htu of another endpoint": [{ claims: { htu: "https://as.test/userinfo" } }, "dpop_url"],
  "the htu of another host": [{ claims: { htu: "https://evil.test/oauth2/token" } }, "dpop_url"],
  "an htu with http": [{ claims: { htu: "http://as.test/oauth2/token" } }, "dpop_url"],
  "an htu with another port": [{ claims: { htu: "https://as.test:8443/oauth2/token" } }, "dpop_url"],
  "an htu with a slash at the end": [{ claims: { htu: "https://as.test/oauth2/token/" } }, "dpop_url"],
  "an htu with a path in another case": [{ claims: { htu: "https://as.test/oauth2/Token" } }, "dpop_url"],
  "an htu with a user name": [{ claims: { htu: "https://user@as.test/oauth2/token" } }, "dpop_url"],
  ...Object.fromEntries(mendedUrls.map((htu): [string, Change] => [
    `the htu ${JSON.stringify(htu)}`,
    [{ claims: { htu } }, "dpop_url"],
  ])),
  "an htu without a scheme": [{ claims: { htu: "/oauth2/token" } }, "dpop_url"],
  "no iat": [{ claims: { iat: undefined } }, "dpop_time"],
  "an iat that is text": [(now) => ({ claims: { iat: `${now}` } }), "dpop_time"],
  "an iat an hour ago": [(now) => ({ claims: { iat: now - hour } }), "dpop_time"],
  "an iat before its lifetime": [(now) => ({ claims: { iat: now - lifetime - 1 } }), "dpop_time"],
  "an iat past the skew": [(now) => ({ claims: { iat: now + skew + 1 } }), "dpop_time"],
  "an exp at the skew": [(now) => ({ claims: { exp: now - skew } }), "dpop_time"],
  "an exp that is text": [(now) => ({ claims: { exp: `${now + hour}` } }), "dpop_time"],
  "an nbf past the skew": [(now) => ({ claims: { nbf: now + skew + 1 } }), "dpop_time"],
  "an nbf that is text": [(now) => ({ claims: { nbf: `${now - hour}` } }), "dpop_time"],
};

it("dpop: a wrong proof is refused, and its code can still be used (RFC 9449 §4.3)", async (world) => {
  const code = await world.code();
  for (const [name, [use, reason]] of Object.entries(changes)) {
    const dpop = await signProof(key, world, typeof use === "function" ? use(world.clock.now) : use);
    assertEquals(await refusalOf(world, world.redeem(code, {}, { dpop })), invalid(reason), name);
  }
  assertEquals((await world.redeem(code, {}, await proof(key, world))).status, 200);
});

it("dpop: a proof whose jwk has a private member is refused, and the journal does not show it (RFC 9449 §4.3)", async (world) => {
  const { d } = await exportJWK(key.privateKey);
  for (const [name, value] of Object.entries({ d, p: "AQAB", oth: [], k: "AQAB" })) {
    const dpop = await signProof(key, world, { header: { jwk: { ...key.publicJwk, [name]: value } } });
    assertEquals(await redeem(world, dpop), invalid("dpop_key"), name);
    assertEquals(JSON.stringify(world.lastRefusal()).includes(d!), false);
  }
});

it("dpop: a proof that another key signed is refused (RFC 9449 §4.3)", async (world) => {
  const other = await createProofKey();
  const dpop = await signProof({ ...key, privateKey: other.privateKey }, world);
  assertEquals(await redeem(world, dpop), invalid("dpop_signature"));
});

/** Changes that leave a proof valid. */
const harmless: Readonly<Record<string, ProofUse | ((now: number) => ProofUse)>> = {
  "an htu with a query and a fragment": { claims: { htu: "https://as.test/oauth2/token?x=1#f" } },
  "a scheme and host in upper case": { claims: { htu: "HTTPS://AS.TEST/oauth2/token" } },
  "the default port": { claims: { htu: "https://as.test:443/oauth2/token" } },
  "dot segments": { claims: { htu: "https://as.test/a/../oauth2/./token" } },
  "an escaped letter": { claims: { htu: "https://as.test/oauth2/%74oken" } },
  "an iat at the end of its lifetime": (now) => ({ claims: { iat: now - lifetime } }),
  "an iat at the skew": (now) => ({ claims: { iat: now + skew } }),
  "an iat with a fraction": (now) => ({ claims: { iat: now - 0.5 } }),
  "exp and nbf": (now) => ({ claims: { exp: now + 30, nbf: now - 5 } }),
  "exp and nbf within the skew": (now) => ({ claims: { exp: now - skew + 1, nbf: now + skew } }),
  "a typ with application/": { header: { typ: "application/dpop+jwt" } },
  "a typ in upper case": { header: { typ: "Application/DPoP+JWT" } },
  "more claims": { claims: { extra: { a: 1 }, aud: "https://elsewhere.test", nonce: "not asked for" } },
  "a jti of 5000 characters": { claims: { jti: "j".repeat(5000) } },
};

it("dpop: a proof in another spelling is accepted (RFC 9449 §4.3, RFC 3986 §6.2)", async (world) => {
  for (const [name, use] of Object.entries(harmless)) {
    const dpop = await signProof(key, world, typeof use === "function" ? use(world.clock.now) : use);
    const tokens = await readTokens(await world.redeem(await world.code(), {}, { dpop }));
    assertEquals(tokens.token_type, "DPoP", name);
  }
});

const longestProof = 8192;

/** A valid proof of this length. Not every length has an encoding, so the header may be longer, too. */
async function proofOfLength(length: number, world: World): Promise<string> {
  for (let extra = 0;; extra++) {
    const sign = (jti: string) =>
      signProof(key, world, { header: { kid: "k".repeat(extra) }, claims: { jti } });
    const more = length - (await sign("")).length;
    const text = await sign("j".repeat(Math.floor(more * 3 / 4)));
    if (text.length === length) return text;
  }
}

it("dpop: a proof that is longer than any client makes it is refused before it is read (RFC 9449 §11)", async (world) => {
  assertEquals((await redeem(world, await proofOfLength(longestProof, world)))[0], 200);
  const longer = await proofOfLength(longestProof + 1, world);
  assertEquals(await redeem(world, longer), invalid("dpop_malformed"));
});

const mostKeys = 1000;

test("dpop: a key is read once, and the memory of keys has a bound (RFC 9449 §11)", () => {
  const findKey = createProofKeys();
  const read = (kid: number) => {
    const jwk = { ...key.publicJwk, kid: `${kid}` };
    return findKey({ alg: "ES256", jwk, kid: undefined, typ: undefined, crit: undefined });
  };
  const first = read(1);
  assertEquals(first?.thumbprint, key.thumbprint);
  for (let kid = 2; kid <= mostKeys; kid++) read(kid);
  assertStrictEquals(read(1), first);
  read(mostKeys + 1);
  assertEquals(read(1) === first, false);
});

test("dpop: the URL is that of the issuer, whatever Host the request names (RFC 9449 §4.3)", () =>
  inWorld({ issuer: "https://as.test/tenant" }, async (world) => {
    const code = await world.code();
    const redeemAt = (htu: string) => async () => {
      const { url, ...request } = { url: "http://127.0.0.1/tenant/oauth2/token", method: "POST" };
      const form = new URLSearchParams({
        ...{ grant_type: "authorization_code", client_id: "public", code },
        ...{ redirect_uri: redirectUri, code_verifier: verifier },
      });
      const headers = await proof(key, world, { url: htu });
      return await world.fetch(new Request(url, { ...request, headers, body: form }));
    };
    const refused = await refusalOf(world, redeemAt("http://127.0.0.1/tenant/oauth2/token")());
    assertEquals(refused, invalid("dpop_url"));
    assertEquals(world.lastRefusal()?.expected, "htu https://as.test/tenant/oauth2/token");
    assertEquals((await redeemAt("https://as.test/tenant/oauth2/token")()).status, 200);
  }));

it("dpop: each announced algorithm verifies a proof (RFC 9449 §5.1)", async (world) => {
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  const announced: readonly string[] = metadata.dpop_signing_alg_values_supported;
  assertEquals(announced.toSorted(), ["ES256", "Ed25519", "EdDSA", "PS256", "RS256"]);
  for (const alg of announced) {
    const { token_type } = await boundTokens(await createProofKey(alg), world);
    assertEquals(token_type, "DPoP", alg);
  }
});

test("dpop: an algorithm that the configuration does not list is neither announced nor accepted (RFC 9449 §5.1)", () =>
  inWorld({ dpop: { algorithms: ["PS256", "EdDSA"] } }, async (world) => {
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.dpop_signing_alg_values_supported, ["PS256", "EdDSA"]);
    assertEquals(await redeem(world, await signProof(key, world)), invalid("dpop_algorithm"));
    assertEquals((await boundTokens(await createProofKey("EdDSA"), world)).token_type, "DPoP");
    const challenge = (await world.get("/userinfo")).headers.get("www-authenticate");
    assertEquals(challenge, 'Bearer realm="postern", DPoP realm="postern", algs="PS256 EdDSA"');
  }));

/** The proofs of RFC 9449 §4.1, §5 and §7.1. */
const sample = {
  token:
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg",
  later:
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjY1Mjk2fQ.pAqut2IRDm_De6PR93SYmGBPXpwrAk90e8cP2hjiaG5QsGSuKDYW7_X620BxqhvYC8ynrrvZLTk41mSRroapUA",
  resource:
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA",
  jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I",
  accessToken: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU",
};

test("dpop: the proofs of RFC 9449 verify, and the token is bound to their key (RFC 9449 §5, §6.1)", () =>
  inWorld({ issuer: "https://server.example.com", paths: { token: "/token" } }, async (world) => {
    for (const [dpop, now] of [[sample.token, 1562262616], [sample.later, 1562265296]] as const) {
      world.clock.now = now;
      const code = await world.code();
      const response = await world.post("/token", {
        ...{ grant_type: "authorization_code", client_id: "public", code },
        ...{ redirect_uri: redirectUri, code_verifier: verifier },
      }, { dpop });
      const { access_token } = await readTokens(response);
      assertEquals(claimsOf(access_token)["cnf"], { jkt: sample.jkt });
    }
  }));

test("dpop: the resource proof of RFC 9449 names its access token (RFC 9449 §7.1)", async () => {
  const findKey = createProofKeys();
  const settings = readDpop(undefined, signingAlgorithms);
  const { accessToken } = sample;
  const urls = ["https://resource.example.org/protectedresource"];
  const use = { method: "GET", urls, now: 1562262618, accessToken };
  const read = await readDpopProof(sample.resource, use, findKey, settings);
  assertEquals("thumbprint" in read && read.thumbprint, sample.jkt);
  const other = await readDpopProof(
    sample.resource,
    { ...use, accessToken: `${accessToken}x` },
    findKey,
    settings,
  );
  assertEquals("details" in other && other.details.reason, "dpop_access_token");
});
