/** The view of a token: its JSON beside its meaning, its checks, and what it leaves out. */

import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { renderToString } from "preact-render-to-string";
import { h } from "preact";
import {
  secrecyOfClaim,
  secrecyOfMember,
  secrecyOfParameter,
  showJwt,
  showValue,
} from "../../../../src/kit/mock/journal/show_value.ts";
import { findTokens } from "../../../../src/kit/mock/journal/find_tokens.ts";
import { joinJwt } from "../../../../src/ground/crypto/jwt_parts.ts";
import { TokenView } from "../../../../src/server/pages/token/token.tsx";
import type { ShownCheck } from "../../../../src/server/pages/token/token_props.ts";
import { hostileJwt } from "../../../browser/hostile_jwt.ts";
import { test } from "../../../runner.ts";
import { entryOf } from "./journal_entries.ts";
import { byId, type Element, findAll, readHtml, textOf } from "../../../server/pages/read_html.ts";

const now = 1_800_000_000;

const claims = {
  iss: "http://localhost:9000",
  sub: "alice",
  aud: "demo",
  exp: now + 42 * 60,
  iat: now - 60,
  auth_time: now - 65,
  nonce: "n-0S6_WzA2Mj",
  at_hash: "MTIzNDU2Nzg5MDEyMzQ1Ng",
  sid: "GeHKMCMJhwsuTVbM",
  acr: "1",
  name: "Alice Example",
  given_name: "Alice",
  family_name: "Example",
  email: "alice@example.com",
  email_verified: true,
};
const text = joinJwt({ header: { alg: "RS256", kid: "a" }, claims, signature: "c".repeat(342) });

function show(
  { secrets = true, checks = [], jwt = text }: {
    readonly secrets?: boolean;
    readonly checks?: readonly ShownCheck[];
    readonly jwt?: string;
  } = {},
): { readonly html: string; readonly page: Element } {
  const shown = showJwt(jwt, { secrets, neverShown: [] })!;
  const token = { ...(secrets ? { text: jwt } : {}), length: jwt.length, jwt: shown };
  const html = renderToString(h(TokenView, { id: "t", name: "ID token", token, checks, now }));
  return { html, page: readHtml(`<!doctype html>${html}`) };
}

/** The lines of a part, as they are shown. */
function linesOf(page: Element, id: string): readonly string[] {
  return findAll(byId(page, id)!, "code").map(textOf);
}

test("token: each claim has a line of JSON, with its meaning beside it", () => {
  const { page } = show();
  assertEquals(JSON.parse(linesOf(page, "t-payload").join("\n")), claims);
  const row = findAll(page, "tr").find((each) => textOf(each).includes('"exp"'))!;
  assertEquals(
    textOf(row).trim(),
    `"exp": ${claims.exp},2027-01-15 08:42:00 UTC, in 42 min. When the token expires, by the server's clock.`,
  );
});

test("token: a check stands at the line of its claim, the others below", () => {
  const rule = "RFC 9068 §4";
  const { page } = show({
    checks: [
      { name: "aud", result: "failed", expected: "shop", received: "demo", rule },
      { name: "signature", result: "passed", expected: "kid a", received: "kid a", rule },
      { name: "azp", result: "absent" },
      { name: "nonce", result: "open", rule },
    ],
  });
  const rowOf = (check: string) =>
    findAll(page, "tr").find((row) =>
      findAll(row, "td").some((cell) => cell.attributes.get("data-check") === check)
    );
  assertStringIncludes(textOf(rowOf("aud")!), '"aud": "demo",');
  assertStringIncludes(textOf(rowOf("aud")!), "failed: expected shop, received demo RFC 9068 §4");
  assertStringIncludes(textOf(rowOf("signature")!), "Signature");
  assertEquals(rowOf("azp"), undefined);
  assertStringIncludes(textOf(rowOf("nonce")!), "cannot be checked here");
  const { page: other } = show({ checks: [{ name: "aud", result: "open" }] });
  assertStringIncludes(textOf(other), "your API compares this with its own name");
  assertStringIncludes(textOf(page), "1 check failed, 1 check passed");
});

test("token: without the key there is no text, nothing to copy, and no secret claim", () => {
  const { html, page } = show({ secrets: false });
  assertEquals(findAll(page, "button"), []);
  for (const hidden of [text.split(".")[1]!, claims.nonce, claims.sid]) {
    assert(!html.includes(hidden), hidden);
  }
  assertStringIncludes(html, "hidden, 16 characters, SHA-256 begins with");
  assertFalse(
    html.includes("hidden, 12 characters, SHA-256"),
    "the nonce is so short that a hash would show it",
  );
  assertStringIncludes(html, claims.email);
});

test("token: with the key its three parts, and the JSON of two, can be copied", () => {
  const { page } = show();
  assertEquals(findAll(byId(page, "t-raw")!, "span").map(textOf), text.split("."));
  assertEquals(
    findAll(page, "button").map((button) => button.attributes.get("data-copy")),
    ["t-payload", "t-header", "t-raw"],
  );
});

test("token: a long line breaks at the slashes of its address, and its end is not alone on a line", () => {
  const aud = "https://api.test/a/resource/with/a/path";
  const { html, page } = show({
    jwt: joinJwt({ header: { alg: "RS256" }, claims: { iss: "i", aud }, signature: "c" }),
  });
  assertStringIncludes(
    html,
    'https://api.test/<wbr/>a/<wbr/>resource/<wbr/>with/<wbr/>a/<wbr/>p<span class="tail">ath&quot;</span>',
  );
  assertEquals(linesOf(page, "t-payload"), ["{", '  "iss": "i",', `  "aud": "${aud}"`, "}"]);
  assertEquals(html.match(/class="tail"/g)?.length, 1, "a short line has no such end");
});

test("token: a token of 3,000 characters is copied whole, and a longer one is cut", () => {
  const ofLength = (length: number) => `${text}${"c".repeat(length - text.length)}`;
  const shown = [3_000, 5_000].map((length) =>
    showValue(ofLength(length), "secret", { secrets: true, neverShown: [] })
  );
  assertEquals(shown.map(({ text, cutFrom }) => [text?.length, cutFrom]), [[3_000, undefined], [
    4_000,
    5_000,
  ]]);
});

test("token: hostile claims stay readable, and the view stays small", () => {
  const { html, page } = show({ jwt: hostileJwt() });
  assert(html.length < 45_000, `${html.length}`);
  assertStringIncludes(textOf(page), "lines are left out.");
  // Both members with this name, and a number that JavaScript cannot write.
  assertStringIncludes(textOf(page), '"sub": "<script>alert(1)</script>"');
  assertStringIncludes(textOf(page), '"sub": "a second subject"');
  assertStringIncludes(textOf(page), '"number": 123456789012345678901234567890');
  assertStringIncludes(textOf(page), String.raw`left \u202ethgir \u200band \u0000 nothing`);
  assertStringIncludes(textOf(page), "10,000 characters in all");
  // A copy without the rest would be another token.
  assertEquals(findAll(page, "button").map((button) => button.attributes.get("data-copy")), [
    "t-header",
    "t-raw",
  ]);
});

test("token: three tokens with fifteen claims fit into 16,000 octets of HTML", () => {
  const rule = "OpenID Connect Core §3.1.3.7 (2)";
  const checks = (["iss", "aud", "exp", "iat", "nonce", "at_hash"] as const).map((name): ShownCheck => (
    { name, result: "passed", expected: String(claims[name]), received: String(claims[name]), rule }
  ));
  const { html } = show({ checks });
  assert(3 * html.length < 16_000, `${html.length}`);
});

test("token: the codes and tokens of an exchange are found, those of the response first, and no other text", () => {
  const names = ["code", "token", "refresh_token", "access_token", "scope"];
  const form = new URLSearchParams(names.map((name) => [name, `sent ${name}`]));
  const entry = entryOf({
    request: {
      ...{ method: "POST", path: "/oauth2/token", query: "", body: `${form}` },
      headers: [["content-type", "application/x-www-form-urlencoded"], ["authorization", "DPoP sent"]],
    },
    response: {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: JSON.stringify({ refresh_token: "given", token_type: "DPoP" }),
    },
  });
  const found = findTokens(entry, "token");
  assertEquals(found.map(({ name, carriedBy, text }) => [name, carriedBy, text]), [
    ["refresh_token", "response", "given"],
    ...names.slice(0, 4).map((name) => [name, "request", `sent ${name}`]),
    ["authorization", "request", "sent"],
  ]);
  // The code of a second factor is no code of a client.
  assertFalse(findTokens(entry, "second_factor").some(({ text }) => text === "sent code"));
});

test("secrets: what a person types and a client's secret are never shown, by whatever name", () => {
  const names = [
    "password",
    "Password",
    "new_password",
    "passwd",
    "pwd",
    "client_secret",
    "clientSecret",
    "username",
  ];
  for (const name of names) {
    const found = [secrecyOfParameter(name), secrecyOfMember(name), secrecyOfClaim(name)];
    // A person's claim `username` is who it is.
    assertEquals(
      found.slice(0, name === "username" ? 1 : 3).every((each) => each === "never"),
      true,
      `${name} ${found}`,
    );
    assertEquals(showValue("what was typed", "never", { secrets: true, neverShown: [] }), {});
  }
});
