/** PKCE by its test vectors, and malformed verifiers and challenges (RFC 7636; OAuth 2.1 §7.5). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { provesSecret } from "../../../src/server/oauth/credential.ts";
import { testWith } from "./test_in_world.ts";
import { pkcePairs } from "../../vectors.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const it = testWith();

for (const [name, code_verifier, code_challenge] of pkcePairs) {
  it(`pkce: the pair "${name}" gets tokens (OAuth 2.1 §4.1.3, appendix A.17)`, async ({ world }) => {
    assertEquals(provesSecret(code_verifier, code_challenge), true);
    const code = await world.code({ code_challenge });
    await assertTokens(await world.redeem(code, { code_verifier }));
    assertEquals(world.journal.at(-1)?.facts.pkce, "S256");
  });
}

it("pkce: each verifier matches its own challenge only (RFC 7636 §4.6)", async ({ world }) => {
  for (const [index, [, , code_challenge]] of pkcePairs.entries()) {
    const [, code_verifier] = pkcePairs[(index + 1) % pkcePairs.length]!;
    const code = await world.code({ code_challenge });
    const response = await world.redeem(code, { code_verifier });
    await assertRefusedInJson(world, response, { error: "invalid_grant", reason: "verifier_wrong" });
    const { expected, received } = world.lastRefusal()!;
    assertStringIncludes(expected!, code_challenge);
    const [, , sent] = pkcePairs[(index + 1) % pkcePairs.length]!;
    assertEquals(received, `the verifier of code_challenge ${sent}`);
  }
});

it("pkce: a verifier, a code or a token that a program made from a missing value is named", async ({ world }) => {
  for (const text of ["undefined", "null", "NaN", "[object Object]"]) {
    const named = `the text ${text}`;
    await world.redeem(await world.code(), { code_verifier: text });
    assertEquals(world.lastRefusal()?.received, named);
    await world.redeem(text);
    assertEquals([world.lastRefusal()?.reason, world.lastRefusal()?.received], ["code_unknown", named]);
  }
  await world.get("/userinfo", { authorization: "Bearer undefined" });
  assertEquals(world.lastRefusal()?.received, "the text undefined");
  await world.redeem("SECRET-CANARY");
  assertEquals(world.lastRefusal()?.received, "13 characters");
});

it("token: an unsupported grant_type that may be a secret is not in the journal; password has a substitute", async ({ world }) => {
  for (
    const [grant_type, received] of [
      ["password", "password"],
      ["Authorization_Code", "Authorization_Code"],
      ["urn:ietf:params:oauth:grant-type:jwt-bearer", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
      ["s3cret-CANARY", "13 characters"],
      ["undefined", "undefined"],
      ["[object Object]", "the text [object Object]"],
    ] as const
  ) {
    await world.redeem("x", { grant_type });
    const refusal = world.lastRefusal();
    assertEquals([refusal?.reason, refusal?.received], ["grant_type_unsupported", received]);
    assertEquals(/_postern\/login/.test(refusal?.expected ?? ""), grant_type === "password");
  }
});

it("parameters: a similar name is named if a parameter is missing", async ({ world }) => {
  const received = () => world.lastRefusal()?.received;
  const uri = "https://app.example/cb";
  await world.authorize({ redirect_uri: undefined, redirect_url: uri, scope: "openid" });
  assertEquals(received(), "no redirect_uri, but redirect_url");
  await world.authorize({ client_id: undefined, clientId: "public" });
  assertEquals(received(), "no client_id, but clientId");
  await world.authorize({ code_challenge: undefined, code_challenge_method: undefined, codeChallenge: "x" });
  assertEquals(received(), "no code_challenge, but codeChallenge");
  await world.redeem(await world.code(), { code_verifier: undefined, codeVerifier: "x" });
  assertEquals(received(), "no code_verifier, but codeVerifier");
  await world.redeem(await world.code(), { grant_type: undefined, grantType: "authorization_code" });
  assertEquals(received(), "no grant_type, but grantType");
});
