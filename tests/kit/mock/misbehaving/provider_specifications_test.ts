/** What GitHub, GitLab and Discord do with tokens, groups and clients, as their specifications have it. */

import { assertEquals } from "@std/assert";
import type { Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { githubAnswers as github } from "./answers/github.ts";
import { gitlabAnswers as gitlab } from "./answers/gitlab.ts";
import { createProvider, logIn, type Provider, send } from "./provider_answers.ts";
import { basic, inForm, post } from "./provider_shop.ts";

const tokenFor = async (as: Mock, provider: Provider, scope = provider.login["scope"]!): Promise<string> =>
  (await send(as, provider.token, await logIn(as, provider, { scope }))).body.access_token;

test("provider specifications: GitHub reads JSON of each type about a token, and says what is wrong with it", async () => {
  await using as = await createProvider("github", github);
  const access_token = await tokenFor(as, github);
  const id = github.client!;
  const url = `https://api.github.com/applications/${id}/token`;
  const ask = async (body: string, type?: string, headers = basic(id)) => {
    // A text has a type of its own, and octets have none.
    const sent = new TextEncoder().encode(body);
    const typed = type === undefined ? headers : { ...headers, "content-type": type };
    const answer = await as.fetch(url, { method: "POST", headers: typed, body: sent });
    const { token, message } = await answer.json();
    return token === access_token ? answer.status : [answer.status, message];
  };
  const asked = JSON.stringify({ access_token });
  const form = "application/x-www-form-urlencoded";
  assertEquals(
    [await ask(asked, form), await ask(asked), await ask(asked, "application/json")],
    [200, 200, 200],
  );
  assertEquals(await ask(`access_token=${access_token}`, form), 200);
  const missing = [422, 'Invalid request.\n\n"access_token" wasn\'t supplied.'];
  assertEquals([await ask("{}", "application/json"), await ask("{}", form)], [missing, missing]);
  assertEquals(await ask("{", "application/json"), [400, "Problems parsing JSON"]);
  assertEquals(await ask(asked, form, {}), [401, "Requires authentication"]);
  assertEquals(await ask(asked, form, basic(id, "wrong")), [401, "Bad credentials"]);
});

test("provider specifications: GitHub names the scopes that an address accepts, and the one that lacks", async () => {
  await using as = await createProvider("github", github);
  const access_token = await tokenFor(as, github, "gist");
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await as.fetch(`https://api.github.com/${path}`, { headers });
    return [answer.status, answer.headers.get("x-accepted-oauth-scopes"), (await answer.json()).message];
  };
  assertEquals(await ask("user"), [200, "", undefined]);
  assertEquals(await ask("user/orgs"), [
    ...[403, "read:org, write:org, admin:org, user"],
    "You need at least read:org scope or user scope to list your organizations.",
  ]);
  assertEquals(await ask("notifications"), [
    ...[403, "notifications, repo"],
    "Missing the 'notifications' scope.",
  ]);
  const unknown = await as.fetch("https://api.github.com/users/nobody");
  assertEquals([unknown.status, (await unknown.json()).message], [404, "Not Found"]);
});

const userOfGitlab = "https://gitlab.com/api/v4/user";
const revoked = "Token was revoked. You have to re-authorize from the user.";
const expired = "Token is expired. You can either do re-authorization or token refresh.";
const unauthorized = { message: "401 Unauthorized" };

test("provider specifications: GitLab's API refuses each token in the words for its end", async () => {
  await using as = await createProvider("gitlab", gitlab);
  const ask = async (token: string, url = userOfGitlab) => {
    const answer = await as.fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.json()];
  };
  assertEquals(await ask("wrong"), [401, unauthorized]);
  // An access token of a login is no personal one.
  const private_token = await tokenFor(as, gitlab, "read_user");
  const byOther = await as.fetch(userOfGitlab, { headers: { "private-token": private_token } });
  assertEquals([byOther.status, await byOther.json()], [401, unauthorized]);
  const insufficient = {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
  };
  const narrow = await tokenFor(as, gitlab, "openid");
  assertEquals(await ask(narrow), [403, { ...insufficient, scope: "read_user api read_api" }]);
  assertEquals(await ask(narrow, "https://gitlab.com/api/v4/groups"), [403, {
    ...insufficient,
    scope: "api read_api",
  }]);
  const alone = { grant_type: "client_credentials", scope: "api", ...inForm };
  const { access_token } = await (await post(as, gitlab.token, alone)).json();
  assertEquals(await ask(access_token), [401, unauthorized]);
  const token = await tokenFor(as, gitlab, "read_user");
  const revocation = { token, ...inForm };
  assertEquals((await post(as, "https://gitlab.com/oauth/revoke", revocation)).status, 200);
  assertEquals(await ask(token), [401, { error: "invalid_token", error_description: revoked }]);
  const late = await tokenFor(as, gitlab, "read_user");
  as.clock.advance("61m");
  assertEquals(await ask(late), [401, { error: "invalid_token", error_description: expired }]);
  assertEquals(await ask(late, "https://gitlab.com/oauth/token/info"), [401, {
    ...{ error: "invalid_token", error_description: "The access token is invalid", state: "unauthorized" },
  }]);
});

test("provider specifications: GitLab lists the groups of the person by their paths", async () => {
  await using as = await createProvider("gitlab", gitlab);
  as.people.change("alice", { claims: { groups: ["bakers", "bakers/bread"] } });
  const access_token = await tokenFor(as, gitlab);
  const headers = { authorization: `Bearer ${access_token}` };
  const listed = await (await as.fetch("https://gitlab.com/api/v4/groups", { headers })).json();
  assertEquals(
    listed.map(({ name, full_name, full_path }: Record<string, string>) => [name, full_name, full_path]),
    [["bakers", "bakers", "bakers"], ["bread", "bakers / bread", "bakers/bread"]],
  );
  assertEquals(listed.map(({ parent_id }: Record<string, number>) => parent_id), [null, listed[0].id]);
});

test("provider specifications: GitLab says how many things a list has", async () => {
  await using as = await createProvider("gitlab", gitlab);
  as.people.change("alice", { claims: { groups: [] } });
  const access_token = await tokenFor(as, gitlab);
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await as.fetch(`https://gitlab.com/api/v4/${path}`, { headers });
    const names = ["x-total", "x-page", "x-per-page", "x-total-pages", "x-next-page", "x-prev-page"];
    return names.map((each) => answer.headers.get(each));
  };
  assertEquals(await ask("users?username=alice"), ["1", "1", "20", "1", "", ""]);
  assertEquals(await ask("groups"), ["0", "1", "20", "1", "", ""]);
  assertEquals(await ask("user"), Array(6).fill(null));
});

test("provider specifications: an introspection at GitLab has no member about the person", async () => {
  await using as = await createProvider("gitlab", gitlab);
  const token = await tokenFor(as, gitlab);
  const { body } = await send(as, gitlab.introspect, { token, ...inForm });
  assertEquals(Object.keys(body).sort(), ["active", "client_id", "exp", "iat", "scope", "token_type"]);
});
