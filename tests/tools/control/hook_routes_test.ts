/** Hooks over HTTP. */

import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { testIn } from "../../test_in.ts";
import { withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: a hook applies a merge patch, once or until it is removed", async ({ ask, as }) => {
  const patch = { email: null, role: "admin" };
  const once = { name: "id_token", patch, once: true, client: "app", username: "bob" };
  const made = await ask("POST", "/hooks", { body: once });
  assertEquals([made.status, made.body], [201, { id: "hook-1", ...once, used: 0 }]);
  const claimsOf = async (username: string) =>
    decodeJwt((await ask("POST", "/login", { body: { username } })).body.id_token);
  assertEquals((await claimsOf("alice"))["role"], undefined);
  assertEquals((await claimsOf("bob"))["role"], "admin");
  assertEquals((await claimsOf("bob"))["role"], undefined);
  assertEquals((await ask("GET", "/hooks")).body.hooks, [{ id: "hook-1", ...once, used: 1 }]);

  const failing = { name: "token_response", patch: { status: 503, members: { error: "server_error" } } };
  await ask("POST", "/hooks", { body: failing });
  assertEquals((await ask("POST", "/login", { body: {} })).status, 422);
  const altered = [{ seam: "token_response", by: "token_response" }];
  assertEquals([as.requests.token.last?.status, as.requests.token.last?.altered], [503, altered]);
  const { requests } = (await ask("GET", "/requests?endpoint=token")).body;
  assertEquals(requests.at(-1).altered, altered);
  assertEquals((await ask("DELETE", "/hooks/hook-2")).status, 204);
  assertEquals((await ask("POST", "/login", { body: {} })).status, 200);

  const wrong = await ask("POST", "/hooks", { body: { name: "jwt", patch: { header: null } } });
  assertEquals([wrong.body.place, wrong.body.expected], ["patch.header", "must be an object"]);
  const scoped = await ask("POST", "/hooks", { body: { name: "metadata", patch: {}, client: "app" } });
  assertMatch(scoped.body.error_description, /cannot be for one client/);
});

it("control: a patch of a signed token changes its text, or its parts without a new signature", async ({ ask }) => {
  const mint = async (patch: Readonly<Record<string, unknown>>) => {
    const made = await ask("POST", "/hooks", { body: { name: "signed", patch, once: true } });
    assertEquals(made.status, 201);
    return (await ask("POST", "/mint", { body: {} })).body.token as string;
  };
  assertEquals(await mint({ text: "cut" }), "cut");
  const unsigned = await mint({
    header: { alg: "none", kid: null },
    claims: { role: "admin" },
    signature: "",
  });
  assertMatch(unsigned, /\.$/);
  assertEquals(decodeProtectedHeader(unsigned), { alg: "none", typ: "at+jwt" });
  assertEquals([decodeJwt(unsigned)["role"], decodeJwt(unsigned).sub], ["admin", "alice"]);
});

it("control: a patch of the parts of a token that has none is a fault that says why", async ({ ask }) => {
  await ask("POST", "/hooks", { body: { name: "signed", patch: { text: "cut" } } });
  await ask("POST", "/hooks", { body: { name: "signed", patch: { signature: "" } } });
  const said = await ask("POST", "/mint", { body: {} });
  assertEquals(said.status, 422);
  assertMatch(said.body.error_description, /"signed" threw: the token has no parts to change/);
});

it("control: a hook for an endpoint changes its responses only", async ({ ask, as }) => {
  const hook = { name: "response", patch: { status: 401 }, endpoint: "userinfo", once: true };
  const made = await ask("POST", "/hooks", { body: hook });
  assertEquals([made.status, made.body], [201, { id: "hook-1", ...hook, used: 0 }]);
  const { access_token } = await as.login("alice", { scope: "openid" });
  const headers = { authorization: `Bearer ${access_token}` };
  const status = async () => (await as.fetch(`${as.issuer}/userinfo`, { headers })).status;
  assertEquals([await status(), await status()], [401, 200]);
  assertEquals((await ask("GET", "/hooks")).body.hooks, [{ id: "hook-1", ...hook, used: 1 }]);
});
