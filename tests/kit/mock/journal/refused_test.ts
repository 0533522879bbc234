/** The errors of login when a hook changes an answer. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createMock, type MockOptions, Refused } from "../../../../src/kit/mod.ts";
import type { Facts } from "../../../../src/server/oauth/contracts/journal.ts";
import { refusedBy } from "../../../../src/kit/mock/journal/refused.ts";
import { test } from "../../../runner.ts";

const quick: MockOptions = { alg: "ES256", scopes: { orders: "See orders" } };

test("login: an OAuth error that a hook put into the response is reported with the hook", async () => {
  await using as = await createMock(quick);
  as.on("authorization_response", (answer) => ({
    ...answer,
    params: [["error", "temporarily_unavailable"], ["error_description", "come back later"]],
  }));
  const refused = await assertRejects(() => as.login("bob"), Refused);
  assertEquals([refused.error, refused.reason], ["temporarily_unavailable", "answer_changed"]);
  assertEquals(
    refused.message,
    "Cannot log in: temporarily_unavailable (answer_changed): come back later\n" +
      "fix       Remove the hook or the misbehaviour: without it, the server would have answered otherwise.\n" +
      'received  status 303: changed by "authorization_response"',
  );
});

test("login: an OAuth error that a hook replaced is the cause of the one that clients see", async () => {
  await using as = await createMock(quick);
  as.on("authorization_response", (answer) => ({ ...answer, params: [["error", "server_error"]] }));
  const refused = await assertRejects(() => as.login("bob", { deny: true }), Refused) as Refused;
  assertEquals([refused.error, refused.reason], ["server_error", "answer_changed"]);
  assertEquals((refused.cause as Refused).error, "access_denied");
});

test("login: an error with another description from a hook keeps its reason", async () => {
  await using as = await createMock(quick);
  as.on("authorization_response", ({ params, ...answer }) => ({
    ...answer,
    params: [...params, ["error_uri", "https://as.test/errors"]],
  }));
  const refused = await assertRejects(() => as.login("bob", { scope: "ordres" }), Refused) as Refused;
  assertEquals([refused.error, refused.reason], ["invalid_scope", "scope_unknown"]);
});

test("login: an answer that is neither tokens nor an OAuth error is reported with its status and the hook, not its body", async () => {
  await using as = await createMock(quick);
  for (const body of ["canary", "null", '{"error":7}', '"canary"']) {
    const hook = as.on("response", (answer, { request }) => ({
      ...answer,
      ...(request.address.path === "/oauth2/token" ? { status: 502, body } : {}),
    }));
    const { message } = await assertRejects(() => as.login(), Error) as Error;
    assertEquals(
      message,
      "Cannot log in: expected tokens or an OAuth error, " +
        'but got something else (status 502): changed by "response"',
    );
    hook[Symbol.dispose]();
  }
  as.on("authorization_response", (answer) => ({ ...answer, params: [["canary", "canary"]] }));
  const { message } = await assertRejects(() => as.login(), Error) as Error;
  assertEquals(
    message,
    "Cannot log in: expected the browser to be sent back to the client, with a code or an OAuth error, " +
      'but got something else (status 303): changed by "authorization_response"',
  );
});

test("refused: the error that a hook threw is the cause, whatever the client has received", () => {
  const fault = new Error("canary");
  const refusal = { error: "invalid_grant", reason: "code_unknown", rule: "", description: "" };
  const received = { status: 400, error: "server_error" };
  const causes = [{}, { refusal }].map((facts) => [
    refusedBy("log in", { ...facts, fault }).cause,
    refusedBy("log in", { ...facts, fault }, received).cause,
  ]);
  const [[bare, replaced], [refused, replacing]] = causes as [unknown[], unknown[]];
  assertEquals([bare, replaced, refused, (replacing as Error).cause], [fault, fault, fault, fault]);
});

test("refused: names each hook that changed something once", () => {
  const tell = (altered: Facts["altered"]) => refusedBy("log in", { altered }).message;
  const atClaims = { seam: "claims", by: "id_token" };
  assertMatch(
    tell([atClaims, atClaims, { seam: "response", by: "response" }]),
    /: changed by "id_token" \(at claims\), "response"$/,
  );
  assertEquals(
    tell([{ seam: "response", by: "response" }]),
    'Cannot log in: expected success, but got something else: changed by "response"',
  );
  assert(!tell([]).includes("changed"));
});

test("login: an error text from a hook is redacted and stays on its line", async () => {
  await using as = await createMock(quick);
  as.on("token_response", () => ({
    status: 401,
    members: { error: "invalid_client", error_description: "see https://a:canary@as.test\nand more" },
  }));
  const { message } = await assertRejects(() => as.login(), Refused) as Refused;
  assert(!message.includes("canary"));
  assertEquals(message.split("\n").length, 3);
});
