/** What GitHub answers a GitHub App that acts as itself, by a JWT that it signs, and for an installation. */

import { parseAuthorization } from "../../../ground/http/authorization.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Members } from "../../../ground/values/members.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { createAccessToken } from "../../../server/oauth/tokens/access_token.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import { numberFor } from "./differences.ts";
import { describeAccount, writeToken } from "./github_answers.ts";
import { findSigner, findWrongEnd, issuerOf } from "./jwt_signer.ts";

const refusal = refusals({ error: "invalid_token", status: 401 }, {
  provider_app_unproven: {
    sentence: "A JSON web token could not be decoded",
    expected:
      "a JWT by RS256 of an app that is configured: its client_id is the iss, and its jwks has the key",
    change: "Configure the app as a client, with the public half of its private key in jwks.",
  },
  provider_app_unknown: {
    error: "not_found",
    status: 404,
    sentence: "Integration not found",
    expected: "the client_id of an app that is configured, as iss",
    change: "Configure the app as a client: its client_id is the iss of the JWT.",
  },
  provider_app_too_long: {
    sentence: "The JWT of the app is valid for too long",
    expected: "an exp at most ten minutes from now",
    change:
      "Create a JWT that is valid for ten minutes, and compare the clocks of the app and of the server.",
  },
  provider_app_expired: {
    sentence: "The JWT of the app has expired, or has no exp",
    expected: "an exp at most ten minutes from now",
    change: "Create a new JWT, and compare the clocks of the app and of the server.",
  },
});

export const refused: RefusalRows = refusal.rows;

async function requireApp(exchange: Exchange, services: Services): Promise<Client> {
  const header = exchange.request.header("authorization") ?? "";
  const { text = "" } = parseAuthorization(header, ["Bearer"]) ?? {};
  const found = await findSigner(text, services);
  if (found === undefined) {
    const iss = issuerOf(text);
    const received = iss === undefined ? "no JWT with an iss" : `a JWT with the iss ${iss}`;
    const isUnknown = iss !== undefined && await findClient(iss, services) === undefined;
    throw refusal(isUnknown ? "provider_app_unknown" : "provider_app_unproven", { received });
  }
  const { client, claims } = found;
  const received = findWrongEnd(claims, longestLife, services);
  const isLate = !(Number(claims["exp"]) > services.now());
  if (received !== undefined) {
    throw refusal(isLate ? "provider_app_expired" : "provider_app_too_long", { received });
  }
  exchange.note({ clientId: client.id });
  return client;
}

export async function describeApp(exchange: Exchange, services: Services): Promise<Answer> {
  const { id: client_id } = await requireApp(exchange, services);
  return json({
    ...{
      id: appIdOf(client_id),
      client_id,
      slug: "shop",
      node_id: "",
      owner: account,
      name: client_id,
    },
    ...{ description: "", external_url: "http://localhost", html_url: "https://github.com/apps/shop" },
    ...{ created_at: since, updated_at: since, permissions, events: [] },
  });
}

function appIdOf(clientId: string): number {
  return /^\d+$/.test(clientId) ? Number(clientId) : numberFor(clientId);
}

/** An app has one installation, whose id is the one that the path names. */
export async function describeInstallations(exchange: Exchange, services: Services): Promise<Answer> {
  const client = await requireApp(exchange, services);
  const { path } = exchange.request.address;
  const installation = describeInstallation(client, Number(path.split("/").at(-1)) || 1);
  return json(path.endsWith("/installations") ? [installation] : installation);
}

export async function createInstallationToken(exchange: Exchange, services: Services): Promise<Answer> {
  const client = await requireApp(exchange, services);
  const expiresBy = Math.floor(services.now()) + hour;
  const grant = {
    ...{ status: "active", clientId: client.id, clientEpoch: client.epoch, subject: client.id } as const,
    ...{ scope: [], resource: [], amr: [], carried: {} },
  };
  const options = { grant, scope: [], resource: [], expiresBy };
  const { text: token, lifetime } = await createAccessToken(options, client, exchange, services);
  const expires_at = new Date((expiresBy - hour + lifetime) * 1000).toISOString();
  return json({ token: writeToken("ghs_", token), expires_at, permissions, repository_selection: "all" }, {
    status: 201,
  });
}

export async function listRepositories(exchange: Exchange, services: Services): Promise<Answer> {
  await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  return json({ total_count: 0, repositories: [] });
}

// In seconds.
const hour = 3600;
const longestLife = 600;
const since = "2020-01-01T00:00:00Z";
const permissions: Members = { metadata: "read", contents: "read" };
const account = describeAccount(
  { login: "postern", id: 1, type: "Organization" },
  "github.com",
  "https://api.github.com",
);

function describeInstallation({ id: client_id }: Client, id: number): Members {
  const api = "https://api.github.com";
  return {
    ...{ id, client_id, account, app_id: appIdOf(client_id), app_slug: "shop", target_id: 1 },
    ...{ repository_selection: "all", access_tokens_url: `${api}/app/installations/${id}/access_tokens` },
    ...{ repositories_url: `${api}/installation/repositories`, target_type: "Organization" },
    ...{ html_url: `https://github.com/organizations/postern/settings/installations/${id}` },
    ...{ permissions, events: [], single_file_name: null, has_multiple_single_files: false },
    ...{ created_at: since, updated_at: since, suspended_by: null, suspended_at: null },
  };
}

function plain(body: string): Answer {
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

/** What programs ask for to see whether the API answers, by the path. */
export const publicAnswers: Readonly<Record<string, Answer>> = {
  zen: plain("Keep it small."),
  octocat: plain(" /\\_/\\\n( o.o )\n"),
  versions: json(["2026-03-10", "2022-11-28"]),
  meta: json({ verifiable_password_authentication: false }),
};
