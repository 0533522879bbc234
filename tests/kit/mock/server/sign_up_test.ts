/** People who make their accounts by prompt=create: the test kit sees, keeps and removes them as others. */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock } from "../../../../src/kit/mod.ts";
import { isPasswordHash } from "../../../../src/ground/crypto/password.ts";
import { present } from "../../../../src/ground/values/present.ts";
import { test } from "../../../runner.ts";
import { authorizationParams, encodeForm, redirectUri } from "../../../world.ts";

type Mock = Awaited<ReturnType<typeof createMock>>;

const options = { signUp: true, clients: [{ client_id: "app", redirect_uris: [redirectUri] }] };
const fields = { username: "dave", name: "Dave", email: "dave@example.com", password: "long enough" };

/** Makes an account as a person does in a browser, and returns the answer to the form. */
async function signUp(as: Mock, changed: Readonly<Record<string, string>> = {}): Promise<Response> {
  const params = { client_id: "app", scope: "openid", prompt: "create" };
  const page = await as.fetch(`${as.issuer}/oauth2/authorize?${encodeForm(authorizationParams(params))}`);
  const cookie = page.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
  const [, request = ""] = /name="request" value="([^"]*)"/.exec(await page.text()) ?? [];
  return await as.fetch(`${as.issuer}/oauth2/sign_up`, {
    method: "POST",
    headers: { cookie, origin: new URL(as.issuer).origin },
    body: new URLSearchParams({ request, ...fields, ...changed }),
    redirect: "manual",
  });
}

test("sign-up: the test kit lists the person, logs in as the person, and removes the person", async () => {
  await using as = await createMock(options);
  await signUp(as);
  const { sub, password, ...others } = as.people.get("dave")!;
  assertEquals(others, {
    username: "dave",
    claims: { name: "Dave", email: "dave@example.com", email_verified: false },
  });
  assert(isPasswordHash(password!), "the password is not kept");
  const { id_token } = await as.login("dave", { client: "app", scope: "openid" });
  assertEquals(decodeJwt(id_token!).sub, sub);
  as.people.remove("dave");
  assertEquals(as.people.get("dave"), undefined);
  assertFalse((await (await signUp(as, { username: "DAVE" })).text()).includes("problem"));
  assert(as.people.get("DAVE")?.sub !== sub, "the next person is another one");
});

test("sign-up: no journal has what a person typed there", async () => {
  await using as = await createMock(options);
  await signUp(as, { username: "", name: "typed by mistake", password: "the secret" });
  const text = `${as.timeline()}${as.explain()}${JSON.stringify(as.requests.sign_up.last)}`;
  assertMatch(text, /sign_up_fields_unfit/);
  assertFalse(/the secret/.test(text));
});

test("sign-up: a snapshot has the person, and a reset does not", async () => {
  await using as = await createMock(options);
  await signUp(as);
  const snapshot = await as.snapshot();
  const { sub } = as.people.get("dave")!;
  as.reset();
  assertEquals(as.people.get("dave"), undefined);
  await as.restore(snapshot);
  assertEquals(as.people.get("dave")?.sub, sub);
});

test("sign-up: a test that answers for the person needs no page", async () => {
  await using as = await createMock({
    signUp: true,
    clients: [{ client_id: "app", redirect_uris: ["https://app.test/cb"] }],
  });
  as.people.add({ username: "erin" });
  const { id_token } = await as.login("erin", { scope: "openid", prompt: "create" });
  assertEquals(decodeJwt(id_token!).sub, "erin");
});

test("sign-up: it leaves the other questions of a server to their features", async () => {
  const [client] = options.clients;
  await using as = await createMock({
    ...{ ...options, login: "auto" },
    clients: [{ ...client!, require_second_factor: true }],
    people: [{ username: "alice", secondFactor: "code" }],
  });
  for (const [prompt, action] of [["create", "sign_up"], [undefined, "second_factor"]] as const) {
    const params = { client_id: "app", scope: "openid", ...present({ prompt }) };
    const page = await as.fetch(`${as.issuer}/oauth2/authorize?${encodeForm(authorizationParams(params))}`);
    const [, shown] = /action="[^"]*\/(\w+)"/.exec(await page.text()) ?? [];
    assertEquals(shown, action);
  }
});
