/** Two clients that were written without the catalogue: its verdicts blame and praise neither of them wrongly. */

import { assertEquals } from "@std/assert";
import { type Card, examine } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";
import { careful } from "./plain/careful.ts";
import { naive } from "./plain/naive.ts";

// A second for one row, in which the server never ends its answer.
const within = 1;

const outcomesOfLogins = (rows: Card["rows"]) =>
  rows.filter(({ area }) => area === "login").map(({ outcome }) => outcome);

test("verdicts: a careful client is fooled nowhere, and breaks nowhere", async () => {
  const { rows, problem } = await examine({ client: careful, within });
  const wrong = rows.filter(({ outcome }) => outcome === "fooled" || outcome === "broke");
  assertEquals(outcomesOfLogins(rows), ["unharmed", "unharmed", "unharmed"]);
  assertEquals([wrong.map(({ name, because }) => `${name}: ${because}`), problem], [[], undefined]);
});

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
  const { rows, problem } = await examine({ client: naive, within });
  const noticed = rows.filter(({ outcome }) => outcome === "noticed").map(({ name }) => name);
  // Its verifier, nonce and state are the same in all logins.
  assertEquals(outcomesOfLogins(rows), ["fooled", "fooled", "fooled"]);
  assertEquals([noticed.filter((name) => !(name in natural)), problem], [[], undefined]);
});
