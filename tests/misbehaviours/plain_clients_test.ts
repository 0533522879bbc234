/** A client that was written without the catalogue, and checks nothing: no verdict praises it. */

import { assertEquals } from "@std/assert";
import { catalogue } from "../../src/misbehaviours/catalogue.ts";
import { isTolerance } from "../../src/misbehaviours/misbehaviour.ts";
import { serverMisbehaviours } from "../../src/misbehaviours/names.ts";
import { examine } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";
import { naive } from "./plain/naive.ts";

/** The client waits for ever where no answer comes. */
const endless = "transport.stalled";

/** What a client without a check still does not get past, or does without a check. */
const natural: Readonly<Record<string, string>> = {
  "metadata.html_200": "it is no JSON",
  "metadata.pkce_missing": "the client always uses PKCE",
  "metadata.pkce_plain_only": "the client always uses S256",
  "authorization_response.access_token_injected": "the client reads only the code",
  "token_response.form_encoded": "it is no JSON",
  "token_response.html": "it is no JSON",
  "token_response.truncated": "it is no JSON",
  "refresh.response_lost": "the client repeats nothing",
  "transport.response_lost": "the client repeats nothing",
};

test("verdicts: a client without checks has noticed nothing but what stops every client", async () => {
  const faults = serverMisbehaviours.filter((name) => !isTolerance(catalogue.get(name)!.level));
  const { rows, problem } = await examine({
    client: naive,
    only: ["login", ...faults.filter((name) => name !== endless)],
    // ES256 costs less time than the usual RS256.
    options: { alg: "ES256" },
    within: 60,
  });
  const noticed = rows.filter(({ outcome }) => outcome === "noticed").map(({ name }) => name);
  const logins = rows.filter(({ area }) => area === "login").map(({ outcome }) => outcome);
  // Its verifier, nonce and state are the same in all logins.
  assertEquals(logins, ["fooled", "fooled", "fooled"]);
  assertEquals([noticed.filter((name) => !(name in natural)), problem], [[], undefined]);
});
