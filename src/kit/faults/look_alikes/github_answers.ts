/** What GitHub answers an app that asks about a token, resets it, or deletes it. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import { encodeText } from "../../../ground/values/octets.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { createParams, readForm, requireParam } from "../../../server/oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { authenticateClient } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import { createAccessToken } from "../../../server/oauth/tokens/access_token.ts";
import { revokeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import {
  checkToken,
  endToken,
  findToken,
  type LiveToken,
  replaceToken,
} from "../../../server/oauth/tokens/find_token.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import type { ShownPerson } from "./look_alike.ts";

const refusal = refusals({
  provider_token_not_found: {
    error: "not_found",
    status: 404,
    sentence: "The app has no such token",
    expected: "a valid access token of the client that the path and the Authorization header name",
    change: "Send a token of this app, and the id of the app in the path.",
  },
});

export const refused: RefusalRows = refusal.rows;

type DescribeUser = (person: ShownPerson) => Members;

interface Asked {
  readonly text: string;
  readonly client: Client;
  readonly live: LiveToken;
}

export function checkAppToken(describeUser: DescribeUser) {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    const { text, client, live } = await readAsked(exchange, services);
    return json(describeToken(text, client, live, describeUser));
  };
}

/** The old token ends, and a new one has the same scope. */
export function resetAppToken(describeUser: DescribeUser) {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    const { client, live } = await readAsked(exchange, services);
    const { token, grant } = live;
    const { id: grantId, entry } = grant!;
    const access = { grantId, grant: entry.value, scope: token.scope, resource: [] };
    if (!await replaceToken(token, services)) {
      throw refusal("provider_token_not_found", { received: "no valid token" });
    }
    const { text } = await createAccessToken(access, client, exchange, services);
    return json(describeToken(writeToken(prefixOf(client.id), text), client, live, describeUser));
  };
}

export async function deleteAppToken(exchange: Exchange, services: Services): Promise<Answer> {
  const { live } = await readAsked(exchange, services);
  await endToken(live.token, services);
  return nothing;
}

/** Ends all tokens of the login. */
export async function deleteAppGrant(exchange: Exchange, services: Services): Promise<Answer> {
  const { live } = await readAsked(exchange, services);
  await revokeGrant(live.grant!.id, services);
  return nothing;
}

/** Ends the token of an installation that the request has. */
export async function deleteToken(exchange: Exchange, services: Services): Promise<Answer> {
  // The scheme `token` is read where the request has a form, and this one has no body.
  exchange.readOtherFormBy(() => Promise.resolve(""));
  const { token } = await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  await endToken(token, services);
  return nothing;
}

/** Answers also without a token. */
export function answersAll(answer: Answer) {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    await checkSentToken(exchange, services);
    return answer;
  };
}

const pages = "{&page,per_page,sort,order}";
const ofLists = "{?type,page,per_page,sort}";

/** The first addresses, after that of the API. */
const roots = {
  authorizations: "authorizations",
  code_search: `search/code?q={query}${pages}`,
  commit_search: `search/commits?q={query}${pages}`,
  current_user: "user",
  current_user_repositories: `user/repos${ofLists}`,
  emails: "user/emails",
  emojis: "emojis",
  events: "events",
  feeds: "feeds",
  followers: "user/followers",
  following: "user/following{/target}",
  gists: "gists{/gist_id}",
  issue_search: `search/issues?q={query}${pages}`,
  issues: "issues",
  keys: "user/keys",
  label_search: "search/labels?q={query}&repository_id={repository_id}{&page,per_page}",
  notifications: "notifications",
  organization: "orgs/{org}",
  organization_repositories: `orgs/{org}/repos${ofLists}`,
  organization_teams: "orgs/{org}/teams",
  public_gists: "gists/public",
  rate_limit: "rate_limit",
  repository: "repos/{owner}/{repo}",
  repository_search: `search/repositories?q={query}${pages}`,
  starred: "user/starred{/owner}{/repo}",
  starred_gists: "gists/starred",
  user: "users/{user}",
  user_organizations: "user/orgs",
  user_repositories: `users/{user}/repos${ofLists}`,
  user_search: `search/users?q={query}${pages}`,
};

export function describeRoot(api: string, host: string): Answer {
  const urls = Object.entries(roots).map(([name, path]) => [`${name}_url`, `${api}/${path}`]);
  const current_user_authorizations_html_url =
    `https://${host}/settings/connections/applications{/client_id}`;
  return json({ ...Object.fromEntries(urls), current_user_authorizations_html_url });
}

/** What an account has at its address. The name of the member is the first part. */
const linked = [
  ...["followers", "following{/other_user}", "gists{/gist_id}", "starred{/owner}{/repo}", "subscriptions"],
  ...["repos", "events{/privacy}", "received_events", "orgs"],
];

/** The members that a person and an organization always have. */
export function describeAccount(
  { login, id, type }: {
    readonly login: string;
    readonly id: number;
    readonly type: "User" | "Organization";
  },
  host: string,
  api: string,
): Members {
  const url = `${api}/users/${login}`;
  const links = linked.map((path) => {
    const [name = ""] = path.split(/[/{]/);
    return [`${name === "orgs" ? "organizations" : name}_url`, `${url}/${path}`];
  });
  return {
    login,
    id,
    node_id: encodeText(`04:User${id}`, "base64"),
    avatar_url: `https://avatars.githubusercontent.com/u/${id}`,
    ...{ gravatar_id: "", url, html_url: `https://${host}/${login}` },
    ...Object.fromEntries(links),
    ...{ type, site_admin: false },
  };
}

async function checkSentToken(exchange: Exchange, services: Services): Promise<boolean> {
  const isSent = exchange.request.header("authorization") !== undefined;
  if (isSent) await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  return isSent;
}

/** Nothing here counts requests, so all of them remain. */
export async function describeRateLimit(exchange: Exchange, services: Services): Promise<Answer> {
  const isPublic = !await checkSentToken(exchange, services);
  const reset = Math.floor(services.now()) + 3600;
  const rateOf = (limit: number) => ({ limit, used: 0, remaining: limit, reset });
  const [core, search, graphql] = isPublic ? [60, 10, 0] : [5000, 30, 5000];
  const limits = { core, search, graphql, integration_manifest: 5000 };
  const resources = Object.entries(limits).map(([name, limit]) => [name, rateOf(limit!)]);
  return json({ resources: Object.fromEntries(resources), rate: rateOf(core!) });
}

export function rateHeaders(isPublic: boolean, now: number): Readonly<Record<string, string>> {
  const limit = isPublic ? "60" : "5000";
  return {
    "x-ratelimit-limit": limit,
    "x-ratelimit-remaining": limit,
    "x-ratelimit-reset": `${Math.floor(now) + 3600}`,
    "x-ratelimit-used": "0",
    "x-ratelimit-resource": "core",
  };
}

/** Returns what the token of a person begins with. */
export function prefixOf(clientId = ""): "gho_" | "ghu_" {
  return clientId.startsWith("Iv") ? "ghu_" : "gho_";
}

const signs = "._-";

/** A token of GitHub has letters, digits and `_` only, and the tools that look for it know this. */
export function writeToken(prefix: "gho_" | "ghr_" | "ghs_" | "ghu_", text: string): string {
  return prefix + text.replace(/[._-]/g, (sign) => `_${signs.indexOf(sign)}`);
}

export function ownTokenOf(text: string): string {
  const [prefix] = /^gh[orsu]_/.exec(text) ?? [];
  return prefix === undefined
    ? text
    : text.slice(prefix.length).replace(/_([012])/g, (_, at) => signs[Number(at)]!);
}

const nothing: Answer = { status: 204, headers: { "cache-control": "no-store" }, body: "" };

async function readAsked(exchange: Exchange, services: Services): Promise<Asked> {
  // parse
  const form = await readForm(exchange);
  const [, id] = /\/applications\/([^/]+)\/\w+$/.exec(exchange.request.address.path) ?? [];
  // identify
  const { client } = await authenticateClient(exchange, createParams([]), services);
  // validate
  const text = requireParam(form, "access_token");
  const token = await findToken(text, "access_token", services);
  const check = token?.kind === "access_token" ? await checkToken(token, services) : undefined;
  const isOwn = client.id === id && client.id === token?.clientId;
  if (!isOwn || !check?.isValid || check.live.grant === undefined) {
    throw refusal("provider_token_not_found", { received: isOwn ? "no valid token" : "another app" });
  }
  const { live } = check;
  exchange.note({ flow: check.live.grant.id, subject: check.live.grant.person.subject });
  return { text, client, live };
}

function describeToken(
  text: string,
  { id }: Client,
  { token, grant }: LiveToken,
  describeUser: DescribeUser,
): Members {
  const startedAt = new Date(grant!.entry.value.redeemedAt! * 1000).toISOString();
  return {
    id: 1,
    url: "https://api.github.com/authorizations/1",
    app: { name: id, url: "http://localhost", client_id: id },
    token: text,
    hashed_token: sha256(text),
    token_last_eight: text.slice(-8),
    note: null,
    note_url: null,
    created_at: startedAt,
    updated_at: startedAt,
    scopes: token.scope,
    fingerprint: null,
    expires_at: null,
    user: describeUser(grant!.person),
  };
}
