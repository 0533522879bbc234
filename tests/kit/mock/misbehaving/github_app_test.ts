/** A GitHub App acts as itself at the look-alike of GitHub: by a JWT that it signs it gets the token of an installation. */

import { assertEquals, assertMatch } from "@std/assert";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { appKey, otherKey, signAsApp } from "../../../github_app.ts";
import { test } from "../../../runner.ts";

const api = "https://api.github.com";

async function createApp() {
  const as = await createMock({
    lookLike: "github",
    clients: [{
      ...{ client_id: "123456", client_secret: "the secret of the app", jwks: { keys: [appKey] } },
      redirect_uris: ["https://app.test/callback"],
    }, {
      ...{ client_id: "rotating", jwks: { keys: [appKey, otherKey] } },
      redirect_uris: ["https://app.test/callback"],
    }, { client_id: "keyless", redirect_uris: ["https://app.test/callback"] }],
  });
  const now = () => Math.floor(as.clock.now);
  return { as, now };
}

const tokens = "/app/installations/7/access_tokens";

async function ask(as: Mock, method: string, path: string, authorization: string) {
  const answer = await as.fetch(api + path, { method, headers: { authorization } });
  return { status: answer.status, body: await answer.json(), reason: as.requests.at(-1)?.refusal?.reason };
}

test("GitHub App: the JWT of an app gives the token of an installation, which lives an hour and has no person", async () => {
  const { as, now } = await createApp();
  await using _as = as;
  const jwt = await signAsApp({ iss: "123456" });
  const { status, body } = await ask(as, "POST", tokens, `Bearer ${jwt}`);
  assertEquals([status, body.repository_selection, body.token.slice(0, 4)], [201, "all", "ghs_"]);
  assertEquals([as.requests.last?.clientId, as.requests.last?.person], ["123456", undefined]);
  assertEquals((await ask(as, "GET", "/installation/repositories", "token x")).status, 401);
  assertEquals(typeof body.permissions, "object");
  const repositories = await ask(as, "GET", "/installation/repositories", `token ${body.token}`);
  assertEquals([repositories.status, repositories.body], [200, { total_count: 0, repositories: [] }]);
  const asked = await as.fetch(`${api}/applications/123456/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa("123456:the secret of the app")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ access_token: body.token }),
  });
  assertEquals([asked.status, (await asked.json()).message], [404, "Not Found"]);
  for (const path of ["/user", "/user/emails", "/user/orgs"]) {
    const user = await ask(as, "GET", path, `token ${body.token}`);
    assertEquals([user.status, user.body.message], [403, "Resource not accessible by integration"], path);
  }
  const app = await ask(as, "GET", "/app", `bearer ${jwt}`);
  assertEquals([app.status, app.body.client_id, app.body.id], [200, "123456", 123456]);
  // Octokit sends the App ID as the number that it is.
  const byNumber = await signAsApp({ iss: 123456 });
  assertEquals((await ask(as, "GET", "/app", `Bearer ${byNumber}`)).status, 200);
  assertEquals((await ask(as, "GET", "/repos/acme/shop/installation", `Bearer ${jwt}`)).body.id, 1);
  assertEquals((await ask(as, "GET", "/app/installations/7", `Bearer ${jwt}`)).body.id, 7);
  as.clock.advance("59m");
  const limits = await ask(as, "GET", "/rate_limit", `token ${body.token}`);
  // A library for Java needs each of these four.
  assertEquals(
    ["core", "search", "graphql", "integration_manifest"].map((name) =>
      limits.body.resources[name].remaining
    ),
    [5000, 30, 5000, 5000],
  );
  as.clock.advance("2m");
  assertEquals((await ask(as, "GET", "/rate_limit", `token ${body.token}`)).reason, "token_expired");
  assertEquals(Date.parse(body.expires_at) / 1000 <= now(), true);
});

test("GitHub App: another key, an unknown app, a token in place of the JWT, and a JWT that is too long or too old are refused", async () => {
  const { as, now } = await createApp();
  await using _as = as;
  const refused = async (authorization: string) => {
    const { status, body, reason } = await ask(as, "POST", tokens, authorization);
    return [status, body.message, reason];
  };
  const unproven = [401, "A JSON web token could not be decoded", "provider_app_unproven"];
  const unknown = [404, "Integration not found", "provider_app_unknown"];
  assertEquals(await refused(`Bearer ${await signAsApp({ iss: "123456" }, { byOtherKey: true })}`), unproven);
  assertEquals(await refused(`Bearer ${await signAsApp({ iss: "unknown" })}`), unknown);
  assertEquals(await refused(`Bearer ${await signAsApp({ iss: "keyless" })}`), unproven);
  for (const byOtherKey of [false, true]) {
    const jwt = await signAsApp({ iss: "rotating" }, { byOtherKey });
    assertEquals((await ask(as, "GET", "/app", `Bearer ${jwt}`)).status, 200);
  }
  const { body } = await ask(as, "POST", tokens, `Bearer ${await signAsApp({ iss: "123456" })}`);
  assertEquals(await refused(`Bearer ${body.token}`), unproven);
  assertEquals(await refused(`Basic ${btoa("123456:the secret of the app")}`), unproven);
  assertEquals(await refused(`token ${await signAsApp({ iss: "123456" })}`), unproven);
  assertEquals(as.requests.last?.refusal?.received, "no JWT with an iss");
  const exp = "'Expiration time' claim ('exp')";
  const tooLong = [401, `${exp} is too far in the future`, "provider_app_too_long"];
  const expired = [
    401,
    `${exp} must be a numeric value representing the future time at which the assertion expires`,
    "provider_app_expired",
  ];
  const long = { iss: "123456", exp: now() + 1200 };
  assertEquals(await refused(`Bearer ${await signAsApp(long)}`), tooLong);
  assertEquals(await refused(`Bearer ${await signAsApp({ iss: "123456", exp: now() - 300 })}`), expired);
  assertMatch(as.requests.last?.refusal?.received ?? "", /^an exp -3\d\d seconds from now$/);
});

test("GitHub App: the clock of the app may be a minute ahead or behind, and no more", async () => {
  const { as, now } = await createApp();
  await using _as = as;
  as.clock.freeze();
  as.clock.set(new Date(now() * 1000));
  const rows = [[-60, 401], [-59, 200], [600, 200], [660, 200], [661, 401]] as const;
  for (const [seconds, status] of rows) {
    const jwt = await signAsApp({ iss: "123456", exp: now() + seconds });
    assertEquals((await ask(as, "GET", "/app", `Bearer ${jwt}`)).status, status, `exp in ${seconds} s`);
  }
});
