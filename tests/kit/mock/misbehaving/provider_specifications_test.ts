/** What GitHub, GitLab and Discord answer has the members, types and refusals of their specifications. */

import { assertEquals } from "@std/assert";
import type { LookAlikeName, Mock } from "../../../../src/kit/mod.ts";
import { appKey, signAsApp } from "../../../github_app.ts";
import { test } from "../../../runner.ts";
import { authorize, basic, createShop, inForm, post, redirectUri, secret } from "./provider_shop.ts";

const id = "112233";

/** The application has the id that Discord and GitHub give: digits. */
const create = (lookLike: LookAlikeName): Promise<Mock> =>
  createShop(lookLike, {
    clients: [id, "other"].map((client_id) => ({
      ...{ client_id, client_secret: secret, redirect_uris: [redirectUri], jwks: { keys: [appKey] } },
      grant_types: [
        ...["authorization_code", "refresh_token", "client_credentials"],
        "urn:ietf:params:oauth:grant-type:device_code",
      ],
    })),
  });

interface Site {
  readonly authorize: string;
  readonly token: string;
  readonly scope: string;
  readonly who: string;
}

const github: Site = {
  authorize: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  scope: "read:user user:email",
  who: "https://api.github.com/user",
};

const gitlab: Site = {
  authorize: "https://gitlab.com/oauth/authorize",
  token: "https://gitlab.com/oauth/token",
  scope: "openid email read_user read_api",
  who: "https://gitlab.com/api/v4/user",
};

const discord: Site = {
  authorize: "https://discord.com/oauth2/authorize",
  token: "https://discord.com/api/oauth2/token",
  scope: "identify email openid",
  who: "https://discord.com/api/v10/users/@me",
};

const sites = { github, gitlab, discord };

const redeem = async (as: Mock, site: Site, scope = site.scope): Promise<Response> => {
  const code = await authorize(as, site.authorize, { scope, client_id: id });
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  return await post(as, site.token, { ...form, ...inForm, client_id: id });
};

/** By whom: a person, the application alone, or the application by its JWT. None: without a token. */
type Caller = "person" | "bot" | "app" | "nobody";

type Specified = readonly [request: string, by: Caller, members: string];

const account =
  "login:text id:number node_id:text avatar_url:text gravatar_id:text|null url:text html_url:text " +
  "followers_url:text following_url:text gists_url:text starred_url:text subscriptions_url:text " +
  "organizations_url:text repos_url:text events_url:text received_events_url:text type:text site_admin:boolean";

const publicUser = `${account} name:text|null company:text|null blog:text|null location:text|null ` +
  "email:text|null hireable:boolean|null bio:text|null public_repos:number public_gists:number " +
  "followers:number following:number created_at:text updated_at:text";

const installation = "id:number app_id:number app_slug:text target_id:number target_type:text " +
  "single_file_name:text|null repository_selection:text access_tokens_url:text html_url:text " +
  "repositories_url:text events:list account:object|null permissions:object created_at:text updated_at:text " +
  "suspended_by:object|null suspended_at:text|null";

const within = (name: string, members: string) => members.replace(/(?<=^| )/g, `${name}.`);

const userOfDiscord =
  "id:text username:text discriminator:text public_flags:number flags:number avatar:text|null " +
  "global_name:text|null avatar_decoration_data:object|null accent_color:number|null banner:text|null";

const application = "id:text name:text icon:text|null description:text type:number|null verify_key:text " +
  "flags:number bot_public:boolean bot_require_code_grant:boolean";

const userOfGitlab = "id:number username:text name:text state:text locked:boolean avatar_url:text|null " +
  "web_url:text created_at:text bio:text|null location:text|null public_email:text|null linkedin:text " +
  "twitter:text discord:text website_url:text organization:text|null job_title:text|null pronouns:text|null " +
  "bot:boolean work_information:text|null followers:number following:number local_time:text|null";

const groupOfGitlab = "id:number web_url:text name:text path:text description:text visibility:text " +
  "share_with_group_lock:boolean require_two_factor_authentication:boolean two_factor_grace_period:number " +
  "project_creation_level:text auto_devops_enabled:boolean|null subgroup_creation_level:text " +
  "emails_disabled:boolean emails_enabled:boolean mentions_disabled:boolean|null lfs_enabled:boolean " +
  "default_branch:text|null default_branch_protection:number avatar_url:text|null " +
  "request_access_enabled:boolean full_name:text full_path:text created_at:text parent_id:number|null " +
  "organization_id:number shared_runners_setting:text";

/** The members that the specifications require, and some that they show in each example. */
const specified: Readonly<Record<keyof typeof sites, readonly Specified[]>> = {
  github: [
    [
      "GET https://api.github.com/user",
      "person",
      `${publicUser} private_gists:number total_private_repos:number owned_private_repos:number ` +
      "disk_usage:number collaborators:number two_factor_authentication:boolean plan:object",
    ],
    ["GET https://api.github.com/users/alice", "person", publicUser],
    ["GET https://api.github.com/users/alice", "nobody", publicUser],
    [
      "GET https://api.github.com/user/emails",
      "person",
      within("0", "email:text primary:boolean verified:boolean visibility:text|null"),
    ],
    [
      "GET https://api.github.com/",
      "nobody",
      "current_user_url current_user_authorizations_html_url authorizations_url code_search_url commit_search_url " +
      "emails_url emojis_url events_url feeds_url followers_url following_url gists_url issue_search_url issues_url " +
      "keys_url label_search_url notifications_url organization_url organization_repositories_url " +
      "organization_teams_url public_gists_url rate_limit_url repository_url repository_search_url " +
      "current_user_repositories_url starred_url starred_gists_url user_url user_organizations_url " +
      "user_repositories_url user_search_url",
    ],
    [
      "GET https://api.github.com/app",
      "app",
      "id:number node_id:text owner:object name:text description:text|null external_url:text html_url:text " +
      `created_at:text updated_at:text permissions:object events:list ${within("owner", account)}`,
    ],
    ["GET https://api.github.com/app/installations", "app", within("0", installation)],
    [
      "GET https://api.github.com/app/installations/7",
      "app",
      `${installation} ${within("account", account)}`,
    ],
    ["POST https://api.github.com/app/installations/7/access_tokens", "app", "token:text expires_at:text"],
    [
      "GET https://github.com/.well-known/oauth-authorization-server/login/oauth",
      "nobody",
      "issuer authorization_endpoint token_endpoint response_types_supported:list grant_types_supported:list " +
      "code_challenge_methods_supported:list",
    ],
  ],
  gitlab: [
    [
      "GET https://gitlab.com/api/v4/user",
      "person",
      `${userOfGitlab} last_sign_in_at:text|null confirmed_at:text|null last_activity_on:text|null email:text ` +
      "theme_id:number color_scheme_id:number projects_limit:number current_sign_in_at:text|null identities:list " +
      "can_create_group:boolean can_create_project:boolean two_factor_enabled:boolean external:boolean " +
      "private_profile:boolean commit_email:text",
    ],
    ["GET https://gitlab.com/api/v4/users?username=alice", "person", within("0", userOfGitlab)],
    ["GET https://gitlab.com/api/v4/groups", "person", within("0", groupOfGitlab)],
    [
      "GET https://gitlab.com/oauth/token/info",
      "person",
      "resource_owner_id:number scope:list scopes:list expires_in:number expires_in_seconds:number " +
      "application.uid:text created_at:number",
    ],
    [
      "GET https://gitlab.com/oauth/userinfo",
      "person",
      "sub:text sub_legacy:text name:text nickname:text preferred_username:text email:text " +
      "email_verified:boolean profile:text groups:list",
    ],
    [
      "GET https://gitlab.com/.well-known/oauth-authorization-server",
      "nobody",
      "issuer authorization_endpoint token_endpoint revocation_endpoint introspection_endpoint userinfo_endpoint " +
      "jwks_uri scopes_supported:list response_types_supported:list grant_types_supported:list " +
      "code_challenge_methods_supported:list",
    ],
  ],
  discord: [
    [
      "GET https://discord.com/api/v10/users/@me",
      "person",
      `${userOfDiscord} mfa_enabled:boolean locale:text premium_type:number|null email:text|null verified:boolean`,
    ],
    [
      "GET https://discord.com/api/v10/users/@me",
      "bot",
      `${userOfDiscord} mfa_enabled:boolean locale:text bot:boolean`,
    ],
    [
      "GET https://discord.com/api/v10/oauth2/@me",
      "person",
      `application:object scopes:list expires:text ${within("application", application)} ` +
      within("user", userOfDiscord),
    ],
    ...["applications/@me", "oauth2/applications/@me"].map((path): Specified => [
      `GET https://discord.com/api/v10/${path}`,
      "bot",
      `${application} redirect_uris:list explicit_content_filter:number interactions_endpoint_url:text|null ` +
      "role_connections_verification_url:text|null max_participants:number|null team:object|null tags:list " +
      "approximate_guild_count:number approximate_user_install_count:number " +
      "approximate_user_authorization_count:number event_webhooks_status:number " +
      `${within("owner", userOfDiscord)} ${within("bot", userOfDiscord)}`,
    ]),
    [
      "GET https://discord.com/api/v10/oauth2/keys",
      "nobody",
      within("keys.0", "kty:text use:text kid:text n:text e:text alg:text"),
    ],
    [
      "GET https://discord.com/api/v10/oauth2/userinfo",
      "person",
      "sub:text preferred_username:text nickname:text locale:text email:text email_verified:boolean",
    ],
  ],
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

/** Returns the members that lack or have another type. */
function differencesOf(body: unknown, members: string): readonly string[] {
  return members.split(" ").flatMap((member) => {
    const [path = "", types = "text"] = member.split(":");
    const value = path.split(".").reduce<unknown>((at, name) => Object(at)[name], body);
    return types.split("|").includes(typeOf(value)) ? [] : [`${member} is ${typeOf(value)}`];
  });
}

for (const [name, rows] of Object.entries(specified) as [keyof typeof sites, readonly Specified[]][]) {
  test(`provider specifications: ${name} answers with the members that it promises, and their types`, async () => {
    await using as = await create(name);
    const claims = { name: "Alice Adams", email: "alice@example.com", email_verified: true };
    as.people.change("alice", { claims: { ...claims, groups: ["bakers/bread"] } });
    const person = (await (await redeem(as, sites[name])).json()).access_token;
    const alone = { grant_type: "client_credentials", scope: "identify", ...inForm, client_id: id };
    const { access_token } = await (await post(as, sites[name].token, alone)).json();
    const authorizations: Readonly<Record<Caller, string | undefined>> = {
      ...{ person: `Bearer ${person}`, bot: `Bot ${access_token}`, nobody: undefined },
      app: `Bearer ${await signAsApp({ iss: id })}`,
    };
    const differing: string[] = [];
    for (const [request, by, members] of rows) {
      const [method, url = ""] = request.split(" ");
      const authorization = authorizations[by];
      const headers = authorization === undefined ? undefined : { authorization };
      const answer = await as.fetch(url, { method, headers });
      const body = await answer.json();
      differing.push(...differencesOf(body, members).map((each) => `${request} by ${by}: ${each}`));
    }
    assertEquals(differing, []);
  });
}

test("provider specifications: a person who refuses is described in the words of each", async () => {
  const described = {
    github: "The user has denied your application access.",
    gitlab: "The resource owner or authorization server denied the request.",
    discord: "The resource owner or authorization server denied the request",
  };
  for (const [name, description] of Object.entries(described) as [keyof typeof sites, string][]) {
    await using as = await create(name);
    const query = new URLSearchParams({
      ...{ client_id: id, response_type: "code", redirect_uri: redirectUri, scope: "openid", state: "s" },
    });
    const callback = await as.authorize(`${sites[name].authorize}?${query}`, { as: "alice", deny: true });
    const { error, error_description, state } = Object.fromEntries(callback.searchParams);
    assertEquals([error, error_description, state], ["access_denied", description, "s"], name);
  }
});

test("provider specifications: GitHub reads JSON of each type about a token, and says what is wrong with it", async () => {
  await using as = await create("github");
  const { access_token } = await (await redeem(as, github)).json();
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
  await using as = await create("github");
  const { access_token } = await (await redeem(as, github, "gist")).json();
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

test("provider specifications: a wrong device code at GitHub is incorrect_device_code", async () => {
  await using as = await create("github");
  const form = {
    client_id: id,
    device_code: "wrong",
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
  };
  const answer = await post(as, github.token, form);
  const { error, error_description } = await answer.json();
  assertEquals([answer.status, error, error_description], [
    ...[200, "incorrect_device_code", "The device_code provided is not valid."],
  ]);
});

const revoked = "Token was revoked. You have to re-authorize from the user.";
const expired = "Token is expired. You can either do re-authorization or token refresh.";
const unauthorized = { message: "401 Unauthorized" };

test("provider specifications: GitLab's API refuses each token in the words for its end", async () => {
  await using as = await create("gitlab");
  const ask = async (token: string, url = gitlab.who) => {
    const answer = await as.fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.json()];
  };
  const tokenFor = async (scope: string) => (await (await redeem(as, gitlab, scope)).json()).access_token;
  assertEquals(await ask("wrong"), [401, unauthorized]);
  // An access token of a login is no personal one.
  const private_token = await tokenFor("read_user");
  const byOther = await as.fetch(gitlab.who, { headers: { "private-token": private_token } });
  assertEquals([byOther.status, await byOther.json()], [401, unauthorized]);
  const insufficient = {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
  };
  const narrow = await tokenFor("openid");
  assertEquals(await ask(narrow), [403, { ...insufficient, scope: "read_user api read_api" }]);
  assertEquals(await ask(narrow, "https://gitlab.com/api/v4/groups"), [403, {
    ...insufficient,
    scope: "api read_api",
  }]);
  const alone = { grant_type: "client_credentials", scope: "api", ...inForm, client_id: id };
  const { access_token } = await (await post(as, gitlab.token, alone)).json();
  assertEquals(await ask(access_token), [401, unauthorized]);
  const token = await tokenFor("read_user");
  const revocation = { token, ...inForm, client_id: id };
  assertEquals((await post(as, "https://gitlab.com/oauth/revoke", revocation)).status, 200);
  assertEquals(await ask(token), [401, { error: "invalid_token", error_description: revoked }]);
  const late = await tokenFor("read_user");
  as.clock.advance("61m");
  assertEquals(await ask(late), [401, { error: "invalid_token", error_description: expired }]);
  assertEquals(await ask(late, "https://gitlab.com/oauth/token/info"), [401, {
    ...{ error: "invalid_token", error_description: "The access token is invalid", state: "unauthorized" },
  }]);
});

test("provider specifications: GitLab lists the groups of the person by their paths", async () => {
  await using as = await create("gitlab");
  as.people.change("alice", { claims: { groups: ["bakers", "bakers/bread"] } });
  const { access_token } = await (await redeem(as, gitlab)).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const listed = await (await as.fetch("https://gitlab.com/api/v4/groups", { headers })).json();
  assertEquals(
    listed.map(({ name, full_name, full_path }: Record<string, string>) => [name, full_name, full_path]),
    [["bakers", "bakers", "bakers"], ["bread", "bakers / bread", "bakers/bread"]],
  );
  assertEquals(listed.map(({ parent_id }: Record<string, number>) => parent_id), [null, listed[0].id]);
});

test("provider specifications: GitLab says how many things a list has", async () => {
  await using as = await create("gitlab");
  const { access_token } = await (await redeem(as, gitlab)).json();
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

test("provider specifications: GitLab refuses clients and grant types in the words of Doorkeeper", async () => {
  await using as = await create("gitlab");
  const { access_token: token } = await (await redeem(as, gitlab)).json();
  const ask = async (path: string, credentials: Readonly<Record<string, string>>) => {
    const answer = await post(as, `https://gitlab.com/oauth/${path}`, { token, ...credentials });
    const { error, error_description } = await answer.json();
    return [answer.status, error, error_description];
  };
  const refused = [403, "unauthorized_client", "You are not authorized to revoke this token"];
  const wrong = { client_id: id, client_secret: "wrong" };
  assertEquals([await ask("revoke", wrong), await ask("revoke", {})], [refused, refused]);
  assertEquals(await ask("revoke", { client_id: "other", client_secret: secret }), refused);
  assertEquals((await ask("introspect", wrong)).slice(0, 2), [401, "invalid_client"]);
  const credentials = { ...inForm, client_id: id };
  const unknown = await (await post(as, gitlab.token, { grant_type: "unknown", ...credentials })).json();
  assertEquals(unknown, {
    error: "unsupported_grant_type",
    error_description: "The authorization grant type is not supported by the authorization server.",
  });
  const own = await (await post(as, "https://gitlab.com/oauth/introspect", { token, ...credentials })).json();
  assertEquals(Object.keys(own).sort(), ["active", "client_id", "exp", "iat", "scope", "token_type"]);
});

test("provider specifications: Discord describes another redirect URI", async () => {
  await using as = await create("discord");
  const code = await authorize(as, discord.authorize, { client_id: id, scope: "identify" });
  const form = { grant_type: "authorization_code", code, redirect_uri: "https://app.test/other" };
  const answer = await post(as, discord.token, { ...form, ...inForm, client_id: id });
  assertEquals([answer.status, await answer.json()], [400, {
    ...{ error: "invalid_request", error_description: 'Invalid "redirect_uri" in request.' },
  }]);
});
