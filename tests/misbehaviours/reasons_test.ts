/** A verdict says what proves it, and nothing is proved by what every client does. */

import { assertEquals, assertMatch } from "@std/assert";
import { examine, type MisbehaviourName } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";
import { createClient } from "./clients/client.ts";
import { strict } from "./clients/habits.ts";

const client = createClient(strict);

async function findRow(name: MisbehaviourName, used = client) {
  const { rows: [row] } = await examine({ client: used, only: [name], within: 60 });
  return row!;
}

test("misbehaviours: a sign says what the request shows", async () => {
  const reasons = {
    "metadata.pkce_missing": "The client used PKCE: GET authorize.",
    "metadata.pkce_plain_only": "The client sent code_challenge_method=S256: GET authorize.",
  } as const;
  for (const [name, expected] of Object.entries(reasons)) {
    const { outcome, because } = await findRow(name as MisbehaviourName);
    assertEquals({ outcome, because }, { outcome: "noticed", because: expected });
  }
});

test("misbehaviours: after a broken connection, the proof is that the code was not sent again", async () => {
  const { outcome, because } = await findRow("transport.response_lost");
  assertEquals(outcome, "noticed");
  assertMatch(because, /^The client did not send the code again\. It ended with \w+: /);
});

test("misbehaviours: a client that pushes no request does not meet a failed login after a pushed request", async () => {
  const name = "pushed_request.login_fails";
  assertEquals((await findRow(name)).outcome, "noticed");
  // Without the name, the client works as while the server is right.
  const plain = await findRow(name, (as, scenario) => client(as, { ...scenario, name: undefined }));
  assertEquals(plain.outcome, "not_reached");
});

test("misbehaviours: a client without an endpoint for logout tokens has neither refused nor accepted one", async () => {
  const { rows } = await examine({
    client: (as, scenario) => client(as, { ...scenario, serve: () => {} }),
    only: ["logout.alg_none", "logout.claims_unknown"],
    within: 60,
  });
  assertEquals(rows.map(({ outcome }) => outcome), ["not_reached", "not_reached"]);
});

test("misbehaviours: a client that refuses a login has not proved that it escapes the text of the error", async () => {
  const { outcome, because } = await findRow("authorization_response.error_markup");
  assertEquals(outcome, "unknown");
  assertMatch(because, /this does not prove that it is right\. It refused: /);
});
