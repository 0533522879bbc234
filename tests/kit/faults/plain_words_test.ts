/** Misbehaviours are found by the words that people use for them, in every error and in every search. */

import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { areaOf, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { findByWords, suggestMisbehaviour } from "../../../src/kit/faults/plain_words.ts";
import {
  createMock,
  examine,
  type ForgeryName,
  type MisbehaviourName,
  type MockOptions,
} from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

const quick: MockOptions = { alg: "ES256" };

/** What a person types, and the name that is suggested first. */
const first: Readonly<Record<string, MisbehaviourName>> = {
  "id_token.expired": "id_token.exp_past",
  "id_token.outdated": "id_token.exp_past",
  "id_token.expired_token": "id_token.exp_past",
  "idToken.expired": "id_token.exp_past",
  "id_tokn.expried": "id_token.exp_past",
  "id_token.wrong_audience": "id_token.aud_wrong",
  "id_token.bad_signature": "id_token.signature_bad",
  "id_token.no_nonce": "id_token.nonce_missing",
  "id_token.future": "id_token.iat_future",
  "id token wrong nonce": "id_token.nonce_wrong",
  "access_token.wrong_issuer": "access_token.issuer_wrong",
  "unsigned ID token": "id_token.alg_none",
  "key confusion": "id_token.hs256_with_public_key",
  "unknown kid": "id_token.kid_unknown",
  "embedded jwk": "id_token.key_embedded",
  "discovery has wrong issuer": "metadata.issuer_mismatch",
  "impersonation of the metadata": "metadata.impostor",
  "metadata without PKCE": "metadata.pkce_missing",
  "slow discovery": "metadata.slow",
  "jwks hang": "keys.silent",
  "keys 500": "keys.status_500",
  "JWKS rollover": "keys.replaced",
  "callback without state": "authorization_response.state_missing",
  "iss missing in callback": "authorization_response.iss_missing",
  "mix-up attack": "authorization_response.mix_up",
  "duplicate code": "authorization_response.code_twice",
  "reused nonce": "login.nonce_repeated",
  "html instead of json": "token_response.html",
  "truncated json": "token_response.truncated",
  "negative lifetime": "token_response.expires_in_negative",
  "more permissions": "token_response.scope_more",
  "userinfo sub mismatch": "userinfo.sub_other",
  "userinfo hangs": "userinfo.never_answers",
  "lost refresh response": "refresh.response_lost",
  "introspection says inactive": "introspection.inactive",
  "signout without state": "logout.state_missing",
  "logout token without events": "logout.events_missing",
  "client secret expired": "registration.secret_expired",
  "throttled registration": "registration.rate_limited",
  "par rejected": "pushed_request.refused",
  "device slow down forever": "device.slow_down_endless",
  "replayed proof": "proof.replayed",
  "no client certificate": "certificate.missing",
  "gzip bomb": "transport.compressed_bomb",
  "encrypted zip": "id_token.encrypted_compressed",
  "network broken in token response": "transport.response_lost",
};

test("plain words: what people call a misbehaviour finds it", () => {
  const suggested = Object.keys(first).map((words) => {
    const [, name] = /^\. Did you mean ([\w.]+)/.exec(suggestMisbehaviour(words, misbehaviourNames)) ?? [];
    return [words, name];
  });
  assertEquals(Object.fromEntries(suggested), first);
});

test("plain words: a word that fits several misbehaviours suggests five of them at most", () => {
  const suggest = (words: string) => suggestMisbehaviour(words, misbehaviourNames);
  assertEquals(
    suggest("bad signature"),
    ". Did you mean id_token.signature_bad, access_token.signature_bad or proof.signature_bad?",
  );
  assertEquals(suggest("dpop nonce").split(/, | or /).length, 5);
  assertEquals(suggest("par refused"), ". Did you mean pushed_request.refused?");
});

const spellings: readonly ((name: string) => string)[] = [
  (name) => name.replaceAll(/[._]/g, " "),
  (name) => name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
  (name) => name.split(/[._]/).reverse().join("-"),
  (name) => name.toUpperCase(),
  (name) => `the ${name}`,
];

const slips: readonly ((name: string) => string)[] = [
  (name) => `${name}s`,
  (name) => name.slice(0, -2) + name.at(-1) + name.at(-2),
];

test("plain words: each misbehaviour is found by its own words, in any spelling and with a slip of the finger", () => {
  for (const [at, name] of misbehaviourNames.entries()) {
    assertEquals(findByWords(name, misbehaviourNames)[0], name);
    const words = spellings[at % spellings.length]!(name), slip = slips[at % slips.length]!(name);
    assert(findByWords(words, misbehaviourNames).includes(name), words);
    const suggestion = suggestMisbehaviour(slip, misbehaviourNames);
    assertStringIncludes(suggestion, "Did you mean", slip);
    assertStringIncludes(suggestion, areaOf(name), slip);
  }
});

test("plain words: a text that names nothing, a long one and another value suggest nothing", () => {
  for (const given of ["", "kubernetes", "hallo welt", "foo", "the of", "x".repeat(100_000), 7, undefined]) {
    assertEquals(suggestMisbehaviour(given, misbehaviourNames), "", `${given}`.slice(0, 20));
  }
  assertEquals(
    suggestMisbehaviour(`${"kk ".repeat(40)}expired`, misbehaviourNames),
    "",
    "only its beginning is read",
  );
  for (const given of ["", "kubernetes", "wrong kubernetes"]) {
    assertEquals(findByWords(given, misbehaviourNames), [], given);
  }
});

test("plain words: a search finds the names that say each word, and not those that say some", () => {
  assertEquals(findByWords("empty audience", misbehaviourNames), [
    "access_token.audience_empty",
    "id_token.aud_empty",
  ]);
  assertEquals(findByWords("id_token.foreign url", misbehaviourNames), ["id_token.jku_foreign"]);
});

test("plain words: a search reads no words of the grammar", () => {
  for (const word of ["a", "an", "the", "of", "in", "is", "with", "for", "has", "by", "to"]) {
    const found = findByWords(`${word} empty audience`, misbehaviourNames);
    assertEquals(found, findByWords("empty audience", misbehaviourNames), word);
  }
});

test("plain words: the calls of the test kit suggest a misbehaviour by them", async () => {
  await using as = await createMock(quick);
  const expired = "id_token.expired" as MisbehaviourName;
  const suggestion = "Did you mean id_token.exp_past?";
  assertThrows(() => as.misbehave(expired), TypeError, suggestion);
  await assertRejects(() => createMock({ ...quick, misbehave: [expired] }), TypeError, suggestion);
  await assertRejects(() => examine({ client: async () => {}, only: [expired] }), TypeError, suggestion);
  const outdated = as.forge("outdated" as ForgeryName);
  await assertRejects(() => outdated, TypeError, "Did you mean access_token.expired?");
});
