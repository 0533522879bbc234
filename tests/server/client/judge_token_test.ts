/** The judge of tokens: what each check compares, and when there is nothing to compare. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type AccessTokenOptions,
  type IdTokenOptions,
  judgeAccessToken,
  judgeIdToken,
  judgeSignature,
  type TokenCheck,
} from "../../../src/server/client/judge_token.ts";
import { importSigningKey, signJwt } from "../../../src/ground/crypto/jwt.ts";
import { parseJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { test } from "../../runner.ts";
import { sampleKey } from "../../world.ts";

const now = 1_800_000_000;
// OpenID Connect Core appendix A.4.
const accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
const claims = {
  ...{ iss: "https://as.test", sub: "alice", aud: "app", exp: now + 60, iat: now, nonce: "n" },
  at_hash: "77QmUPtjPfzWtF2AnpK9RQ",
};
const terms: IdTokenOptions = {
  ...{ issuer: "https://as.test", clientId: "app", alg: "RS256", now, isNew: true, isRefresh: false },
  ...{ sent: { nonce: "n" }, accessToken },
};

function judge(
  changed: object = {},
  expected: Partial<IdTokenOptions> = {},
  header: object = { alg: "RS256" },
) {
  const jwt = { header: { ...header }, claims: { ...claims, ...changed }, signature: "" };
  return judgeIdToken(jwt, { ...terms, ...expected });
}

function named(result: TokenCheck["result"], checks: readonly TokenCheck[]): readonly string[] {
  return checks.flatMap((check) => check.result === result ? [check.name] : []);
}

test("judge: a right ID token passes each check that has something to compare (OpenID Connect Core §3.1.3.7)", () => {
  const checks = judge();
  assertEquals(named("passed", checks), ["alg", "iss", "aud", "exp", "iat", "nonce", "at_hash"]);
  assertEquals(named("absent", checks), ["azp"]);
  for (const { rule, level } of checks) {
    assertMatch(rule, /§/);
    assert(["must", "should", "may"].includes(level));
  }
});

const wrongClaims = [
  ["iss", { iss: "https://as.test/" }],
  ["iss", { iss: undefined }],
  ["aud", { aud: ["other"] }],
  ["azp", { azp: "other" }],
  ["exp", { exp: now }],
  ["exp", { exp: undefined }],
  ["exp", { exp: `${now + 60}` }],
  ["iat", { iat: now + 61 }],
  ["iat", { iat: now - 61 }],
  ["nbf", { nbf: now + 61 }],
  ["nonce", { nonce: "other" }],
  ["nonce", { nonce: undefined }],
  ["at_hash", { at_hash: "LDktKdoQak3Pk0cnXxCltA" }],
] as const;
for (const [failed, changed] of wrongClaims) {
  const [[name, value] = []] = Object.entries(changed);
  test(`judge: an ID token with the ${name} ${value} fails by ${failed} alone`, () => {
    assertEquals(named("failed", judge(changed)), [failed]);
  });
}

test("judge: to compare azp and nbf of an ID token is a choice of the client (OpenID Connect Core §2, §3.1.3.7)", () => {
  const levelOf = (wanted: string) =>
    judge({ azp: "app", nbf: now }).find(({ name }) => name === wanted)?.level;
  assertEquals(["aud", "azp", "nbf"].map(levelOf), ["must", "may", "may"]);
});

test("judge: without the client's algorithm, any that signs may be right, and none never is (RFC 7518 §3.6)", () => {
  const { alg: _, ...open } = terms;
  const judgeAlg = (header: object) =>
    judgeIdToken({ header: { ...header }, claims, signature: "" }, open)[0]!.result;
  assertEquals([{ alg: "ES256" }, { alg: "none" }, {}].map(judgeAlg), ["open", "failed", "failed"]);
});

test("judge: a nonce is compared with that of the request, if the request is known", () => {
  const nonceOf = (...args: Parameters<typeof judge>) =>
    judge(...args).find(({ name }) => name === "nonce")!.result;
  assertEquals(nonceOf({}, { sent: undefined }), "open");
  assertEquals(nonceOf({ nonce: undefined }, { sent: undefined }), "absent");
  assertEquals(nonceOf({}, { sent: { nonce: undefined } }), "failed");
  assertEquals(nonceOf({ nonce: undefined }, { isRefresh: true }), "absent");
  assertEquals(nonceOf({ nonce: "other" }, { isRefresh: true }), "failed");
});

test("judge: a refresh does not change the person (OpenID Connect Core §12.2)", () => {
  assertEquals(named("failed", judge({}, { subject: "bob" })), ["sub"]);
  assertEquals(named("failed", judge({}, { subject: "alice" })), []);
});

test("judge: at_hash has the hash function of the signature (OpenID Connect Core §3.1.3.6)", () => {
  const hashOf = (alg: string) => judge({}, { alg }, { alg }).find(({ name }) => name === "at_hash")!.result;
  assertEquals([hashOf("PS256"), hashOf("EdDSA"), hashOf("XY")], ["passed", "failed", "open"]);
});

test("judge: the typ of an access token has no case, and may begin with application/ (RFC 7515 §4.1.9)", () => {
  const expected: AccessTokenOptions = {
    ...{ issuer: "https://as.test", typ: "at+jwt", now, needs: "one" },
    audience: ["https://api.test", "app"],
  };
  const judgeTyped = (typ: string | undefined) =>
    named("failed", judgeAccessToken({ header: { alg: "ES256", typ }, claims, signature: "" }, expected));
  assertEquals(["at+jwt", "application/AT+JWT"].map(judgeTyped), [[], []]);
  assertEquals(["JWT", undefined].map(judgeTyped), [["typ"], ["typ"]]);
  assertEquals(
    named(
      "failed",
      judgeAccessToken(
        { header: { alg: "ES256", typ: "at+jwt" }, claims, signature: "" },
        { ...expected, needs: "all" },
      ),
    ),
    ["aud"],
  );
});

test("judge: a signature needs exactly one key that fits (OpenID Connect Core §10.1)", async () => {
  const key = await importSigningKey(sampleKey as never, "ES256");
  const text = await signJwt(key, "JWT", claims);
  const parts = parseJwt(text)!;
  const { kid: _, ...unnamed } = key.publicJwk;
  const resultOf = async (...keys: readonly object[]) =>
    (await judgeSignature("id_token", text, parts, keys)).result;
  assertEquals(await resultOf(key.publicJwk), "passed");
  assertEquals(await resultOf(), "failed");
  assertEquals(await resultOf(unnamed), "failed");
  assertEquals(await resultOf(key.publicJwk, key.publicJwk), "failed");
});
