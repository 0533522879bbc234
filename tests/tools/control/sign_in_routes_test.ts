/** Sign-in and sign-out over HTTP. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { authorizeUrl } from "../../kit/mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { encryptingClient, encryptionKeys } from "../../server/tokens/encryption.ts";
import { verifier } from "../../world.ts";
import { origin, withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: authorize answers the request that the client gets, by redirect and as a form", async ({ ask }) => {
  const { body } = await ask("POST", "/authorize", {
    body: { url: authorizeUrl(origin), username: "bob" },
  });
  assertEquals(body.method, "GET");
  assertMatch(body.url, /^https:\/\/app\.test\/callback\?code=.*&state=af0ifjsldkj/);
  const form = await ask("POST", "/authorize", {
    body: { url: authorizeUrl(origin, { response_mode: "form_post" }), deny: true },
  });
  assertEquals([form.body.method, form.body.url], ["POST", "https://app.test/callback"]);
  assertEquals([form.body.form.error, form.body.form.state], ["access_denied", "af0ifjsldkj"]);
  await ask("POST", "/next_sign_in", { body: { deny: true, client: "app" } });
  const next = await ask("POST", "/authorize", { body: { url: authorizeUrl(origin) } });
  assertMatch(next.body.url, /error=access_denied/);
  const none = await ask("POST", "/authorize", { body: { url: "/oauth2/authorize" } });
  assertEquals([none.status, none.body.place], [400, "url"]);
});

it("control: authorize answers at the host of a provider while the server looks like it", async ({ ask }) => {
  const { search } = new URL(authorizeUrl(origin));
  const url = `https://github.com/login/oauth/authorize${search}`;
  const early = await ask("POST", "/authorize", { body: { url } });
  assertEquals([early.status, early.body.place], [400, "url"]);
  await ask("POST", "/look_alikes", { body: { name: "github" } });
  const { body } = await ask("POST", "/authorize", { body: { url, username: "bob" } });
  assertMatch(body.url, /^https:\/\/app\.test\/callback\?code=/);
});

test("control: authorize names the addresses of an issuer that ends with a slash", () =>
  withControl(async ({ ask }) => {
    const { body } = await ask("POST", "/authorize", { body: { url: "https://evil.test/" } });
    assertEquals(body.expected.startsWith(`must be below ${origin}/, or`), true, body.expected);
  }, { options: { issuer: `${origin}/`, paths: "auth0" } }));

test("control: login decrypts the authorization response with the given key (JARM §2.2)", async () => {
  const clients = [encryptingClient({ authorization_encrypted_response_alg: "ECDH-ES" })];
  await withControl(async ({ ask }) => {
    const body = { username: "bob", responseMode: "jwt" };
    const decryptionKey = encryptionKeys["ECDH-ES"];
    assertEquals((await ask("POST", "/login", { body: { ...body, decryptionKey } })).status, 200);
    assertMatch(JSON.stringify((await ask("POST", "/login", { body })).body), /set decryptionKey to/);
  }, { options: { clients } });
});

it("control: login pushes the request (RFC 9126)", async ({ ask, as }) => {
  const login = await ask("POST", "/login", { body: { username: "bob", pushed: true } });
  assertEquals([login.status, login.body.token_type], [200, "Bearer"]);
  assertEquals(as.requests.par.last?.status, 201);
  const unsigned = await ask("POST", "/login", { body: { signed: true } });
  assertMatch(JSON.stringify(unsigned.body), /set clientKey to its private JWK/);
});

it("control: approve_device answers a device login, and login plays a whole one (RFC 8628)", async ({ ask, as }) => {
  const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";
  as.clients.add({ client_id: "tv", grant_types: [deviceGrantType] });
  const send = async (path: string, params: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: "tv", ...params });
    return await (await as.fetch(`${origin}${path}`, { method: "POST", body })).json();
  };
  const approve = async (answer: Readonly<Record<string, unknown>>) => {
    const codes = await send("/oauth2/device_authorization", { scope: "openid" });
    const { status } = await ask("POST", "/approve_device", {
      body: { [answer["deny"] ? "user_code" : "userCode"]: codes.user_code, ...answer },
    });
    assertEquals(status, 204);
    return await send("/oauth2/token", { grant_type: deviceGrantType, device_code: codes.device_code });
  };
  assertEquals((await approve({ username: "bob", browser: "his" })).scope, "openid");
  // Bob is signed in there.
  assertEquals((await ask("POST", "/end_session", { body: { browser: "his" } })).status, 204);
  assertEquals((await approve({ deny: true })).error, "access_denied");
  const wrong = await ask("POST", "/approve_device", { body: { userCode: "BBBB-BBBB" } });
  assertEquals([wrong.status, wrong.body.refusal?.reason], [422, "user_code_wrong"]);
  const login = await ask("POST", "/login", { body: { username: "bob", device: true, scope: "openid" } });
  assertEquals([login.status, login.body.scope, login.body.claims.aud], [200, "openid", "tv"]);
  const pushed = await ask("POST", "/login", { body: { device: true, pushed: true } });
  assertMatch(JSON.stringify(pushed.body), /Cannot log in on a device with pushed/);
});

it("control: end_session ends a session that authorize began in the named browser", async ({ ask, as }) => {
  const url = authorizeUrl(origin, { scope: "openid" });
  const { body } = await ask("POST", "/authorize", { body: { url, username: "alice", browser: "b1" } });
  const response = await as.fetch(`${origin}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: "app",
      code: new URL(body.url).searchParams.get("code")!,
      redirect_uri: "https://app.test/callback",
      code_verifier: verifier,
    }),
  });
  const { id_token } = await response.json();
  const silent = authorizeUrl(origin, { scope: "openid", prompt: "none" });
  const answered = async () =>
    new URL((await ask("POST", "/authorize", { body: { url: silent, browser: "b1" } })).body.url)
      .searchParams;

  const unnamed = await ask("POST", "/end_session", { body: { id_token } });
  assertMatch(unnamed.body.error_description, /give \{ browser \}$/);
  // Named by a call that was refused, it has been nowhere.
  assertEquals((await ask("POST", "/login", { body: { username: "nobody", browser: "b2" } })).status, 400);
  const misspelt = await ask("POST", "/end_session", { body: { id_token, browser: "b2" } });
  assertEquals([misspelt.status, misspelt.body.place], [400, "browser"]);
  assertMatch(misspelt.body.error_description, /"b2": known are b1$/);
  const empty = await ask("POST", "/end_session", { body: {} });
  assertEquals(empty.status, 400);
  assertMatch(empty.body.error_description, /^There is no session to end\b/);
  assert((await answered()).has("code"));
  assertEquals((await ask("POST", "/end_session", { body: { id_token, browser: "b1" } })).status, 204);
  assertEquals((await answered()).get("error"), "login_required");

  await ask("POST", "/login", { body: { username: "alice", scope: "openid", browser: "b1" } });
  assert((await answered()).has("code"));
  assertEquals((await ask("POST", "/end_session", { body: { browser: "b1" } })).status, 204);
  assertEquals((await answered()).get("error"), "login_required");
  await ask("POST", "/reset");
  assertEquals((await ask("POST", "/end_session", { body: { browser: "b1" } })).status, 400);
});
