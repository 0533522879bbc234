/** The steps of a walk: when each is possible, and the request that each sends. */

import { createCall } from "../../client/client_request.ts";
import { codeParams, refreshParams } from "../../client/flow.ts";
import { type Client, methodOf, publicClientMethod, signsAssertion } from "../../oauth/clients/client.ts";
import type { Services } from "../../oauth/services.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import type { ReadToken } from "../../oauth/tokens/read_token.ts";
import { createForm, type OwnRequest, type WalkCredentials } from "./walk_credentials.ts";
import type { WalkObstacle, WalkStepName } from "../../oauth/pages.ts";
import { findTokens, type Walk } from "./walk.ts";

// A walk is one record of the store, so a flood of long walks must not fill the store.
const mostSteps = 30;
// In characters of JSON, before the last step.
const longestWalk = 100_000;

/** A walk and what the server knows about its tokens and its client. */
export interface Standing {
  readonly walk: Walk;
  readonly client: Client | undefined;
  /** The record of the walk has no room for another step. */
  readonly isFull: boolean;
  readonly codeIsUsed: boolean;
  readonly codeIsExpired: boolean;
  readonly codeIsBound: boolean;
  readonly accessToken: string | undefined;
  /** The access token, if the server recognises it. */
  readonly readAccessToken: ReadToken | undefined;
  readonly refreshToken: string | undefined;
  /** The refresh token that the current one replaced. */
  readonly oldRefreshToken: string | undefined;
  readonly services: Services;
}

/** The facts about the code that decide which steps are possible. */
export type CodeFacts = Pick<Standing, "codeIsUsed" | "codeIsExpired" | "codeIsBound">;

export async function createStanding(
  walk: Walk,
  client: Client | undefined,
  code: CodeFacts,
  services: Services,
): Promise<Standing> {
  const tokens = findTokens(walk);
  const accessToken = tokens.findLast(({ kind }) => kind === "access_token")?.text;
  const refreshTokens = tokens.filter(({ kind }) => kind === "refresh_token");
  return {
    walk,
    client,
    isFull: walk.steps.length >= mostSteps || JSON.stringify(walk).length > longestWalk,
    ...code,
    accessToken,
    readAccessToken: accessToken === undefined
      ? undefined
      : await findToken(accessToken, "access_token", services),
    refreshToken: refreshTokens.at(-1)?.text,
    oldRefreshToken: refreshTokens.at(-2)?.text,
    services,
  };
}

interface WalkStepKind {
  /** The step needs the client's credentials. */
  readonly authenticates?: true;
  /** Asks afterwards whether the tokens still work. */
  readonly provesTokens?: true;
  findObstacle(standing: Standing): WalkObstacle | undefined;
  createRequest(standing: Standing, credentials: WalkCredentials): OwnRequest;
}

export const walkSteps: Readonly<Record<WalkStepName, WalkStepKind>> = {
  exchange: {
    authenticates: true,
    findObstacle: ({ codeIsUsed, codeIsExpired }) =>
      codeIsUsed ? "code_used" : codeIsExpired ? "code_expired" : undefined,
    createRequest: (standing, credentials) =>
      createCodeRequest(standing, standing.walk.codeVerifier, credentials),
  },
  userinfo: {
    findObstacle({ accessToken, readAccessToken, services: { settings, slots } }) {
      if (!slots.endpoints.some(({ name }) => name === "userinfo")) return "not_offered";
      if (accessToken === undefined) return "no_access_token";
      if (readAccessToken?.scope.includes("openid") === false) return "no_openid";
      return readAccessToken?.audience.includes(settings.issuer) === false ? "not_for_userinfo" : undefined;
    },
    createRequest: ({ accessToken, services: { settings } }) => ({
      sent: createCall(settings.baseUrl + settings.paths.userinfo, accessToken!),
    }),
  },
  refresh: {
    authenticates: true,
    findObstacle: ({ refreshToken }) => refreshToken === undefined ? "no_refresh_token" : undefined,
    createRequest: (standing, credentials) => createRefresh(standing.refreshToken!, standing, credentials),
  },
  introspect: {
    authenticates: true,
    findObstacle(standing) {
      if (!hasEndpoint("introspect", standing)) return "not_offered";
      if (standing.accessToken === undefined) return "no_access_token";
      return mayBePublic(standing) ? "public_client" : undefined;
    },
    createRequest: (standing, credentials) =>
      createIntrospection(standing.accessToken!, standing, credentials),
  },
  revoke: {
    authenticates: true,
    provesTokens: true,
    findObstacle(standing) {
      if (!hasEndpoint("revoke", standing)) return "not_offered";
      return (standing.refreshToken ?? standing.accessToken) === undefined ? "no_access_token" : undefined;
    },
    createRequest: ({ refreshToken, accessToken, services: { settings } }, credentials) =>
      createForm(settings.baseUrl + settings.paths.revoke, [
        ["token", refreshToken ?? accessToken!],
        ["token_type_hint", refreshToken === undefined ? "access_token" : "refresh_token"],
      ], credentials),
  },
  call_api: {
    findObstacle({ accessToken, readAccessToken, services: { settings: { demoResource } } }) {
      if (demoResource === undefined) return "no_api";
      if (accessToken === undefined) return "no_access_token";
      return readAccessToken?.audience.includes(demoResource) === false ? "not_for_api" : undefined;
    },
    createRequest: ({ accessToken, services: { settings } }) => ({
      sent: createCall(settings.demoResource!, accessToken!),
    }),
  },
  replay_code: {
    authenticates: true,
    provesTokens: true,
    findObstacle: findReplayObstacle,
    createRequest: (standing, credentials) =>
      createCodeRequest(standing, standing.walk.codeVerifier, credentials),
  },
  tamper_verifier: {
    authenticates: true,
    provesTokens: true,
    findObstacle: (standing) =>
      standing.walk.codeVerifier === undefined ? "no_verifier" : findReplayObstacle(standing),
    createRequest: (standing, credentials) =>
      createCodeRequest(standing, tamper(standing.walk.codeVerifier!), credentials),
  },
  reuse_refresh_token: {
    authenticates: true,
    provesTokens: true,
    findObstacle: ({ refreshToken, oldRefreshToken }) =>
      refreshToken === undefined
        ? "no_refresh_token"
        : oldRefreshToken === undefined
        ? "no_old_refresh_token"
        : undefined,
    createRequest: (standing, credentials) => createRefresh(standing.oldRefreshToken!, standing, credentials),
  },
};

/** Returns why the step is not possible now, or `undefined` if it is. */
export function findObstacle(name: WalkStepName, standing: Standing): WalkObstacle | undefined {
  const { client, codeIsBound, isFull } = standing;
  if (isFull) return "too_many_steps";
  if (walkSteps[name].authenticates) {
    if (client !== undefined && signsAssertion(methodOf(client))) return "assertion_client";
    if (codeIsBound) return "bound_to_key";
  }
  return walkSteps[name].findObstacle(standing);
}

function findReplayObstacle({ walk }: Standing): WalkObstacle | undefined {
  return findTokens(walk).length === 0 ? "not_redeemed" : undefined;
}

function hasEndpoint(name: string, { services: { slots } }: Standing): boolean {
  return slots.endpoints.some((endpoint) => endpoint.name === name);
}

/** RFC 7662 §2.1: a client without credentials may not introspect. */
function mayBePublic({ client }: Standing): boolean {
  return client === undefined || methodOf(client) === publicClientMethod;
}

function createCodeRequest(
  { walk: { code, redirectUri }, services: { settings } }: Standing,
  codeVerifier: string | undefined,
  credentials: WalkCredentials,
): OwnRequest {
  const params = codeParams({ code, redirectUri, codeVerifier });
  return createForm(settings.baseUrl + settings.paths.token, params, credentials);
}

function createRefresh(
  refreshToken: string,
  { services: { settings } }: Standing,
  credentials: WalkCredentials,
): OwnRequest {
  return createForm(settings.baseUrl + settings.paths.token, refreshParams({ refreshToken }), credentials);
}

export function createIntrospection(
  token: string,
  { services: { settings } }: Pick<Standing, "services">,
  credentials: WalkCredentials,
): OwnRequest {
  return createForm(settings.baseUrl + settings.paths.introspect, [["token", token]], credentials);
}

/** Returns a verifier of the same form that differs in its last character. */
function tamper(verifier: string): string {
  return verifier.slice(0, -1) + (verifier.endsWith("A") ? "B" : "A");
}
