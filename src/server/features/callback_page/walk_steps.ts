/** The steps of a walk: when each is possible, and the request that each sends. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import { createCall } from "../../client/client_request.ts";
import { codeParams, refreshParams } from "../../client/flow.ts";
import { type Client, methodOf, publicClientMethod, signsAssertion } from "../../oauth/contracts/client.ts";
import { timeFor } from "../../oauth/options/clock_skew.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { findGrantByCode } from "../../oauth/tokens/check_grant.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import type { ReadToken } from "../../oauth/contracts/read_token.ts";
import type { OwnRequest } from "../../oauth/requests/call_self.ts";
import { createForm, type WalkCredentials } from "./walk_credentials.ts";
import type { WalkBlocker, WalkStepName } from "../../oauth/contracts/pages.ts";
import { findTokens, type Walk } from "./walk.ts";

// A walk is one record of the store, so a flood of long walks must not fill the store.
const mostSteps = 30;
// In characters of JSON, before the last step.
const longestWalk = 100_000;

export interface WalkState {
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

export async function createWalkState(
  walk: Walk,
  client: Client | undefined,
  services: Services,
): Promise<WalkState> {
  const found = await findGrantByCode(walk.code, services);
  const proofs = [...services.slots.senderProofs.values()];
  const tokens = findTokens(walk);
  const accessToken = tokens.findLast(({ kind }) => kind === "access_token")?.text;
  const refreshTokens = tokens.filter(({ kind }) => kind === "refresh_token");
  return {
    walk,
    client,
    isFull: walk.steps.length >= mostSteps || JSON.stringify(walk).length > longestWalk,
    // An unknown code counts as used.
    codeIsUsed: found?.entry.value.status !== "approved",
    codeIsExpired: found !== undefined && found.code.expiresAt <= timeFor(found.code, services),
    codeIsBound: found?.code.confirmation !== undefined ||
      client !== undefined && proofs.some((proof) => proof.isRequired?.(client, services)),
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
  readonly authenticates?: true;
  /** Asks afterwards whether the tokens still work. */
  readonly provesTokens?: true;
  findBlocker(walkState: WalkState): WalkBlocker | undefined;
  createRequest(walkState: WalkState, credentials: WalkCredentials): OwnRequest;
}

/** In the order of the buttons. */
export const walkSteps: Readonly<Record<WalkStepName, WalkStepKind>> = {
  exchange: {
    authenticates: true,
    findBlocker: ({ codeIsUsed, codeIsExpired }) =>
      codeIsUsed ? "code_used" : codeIsExpired ? "code_expired" : undefined,
    createRequest: createCodeRequest,
  },
  userinfo: {
    findBlocker(walkState) {
      const { accessToken, readAccessToken, services: { settings } } = walkState;
      if (!hasEndpoint("userinfo", walkState)) return "not_offered";
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
    findBlocker: ({ refreshToken }) => refreshToken === undefined ? "no_refresh_token" : undefined,
    createRequest: (walkState, credentials) => createRefresh(walkState.refreshToken!, walkState, credentials),
  },
  introspect: {
    authenticates: true,
    findBlocker(walkState) {
      if (!hasEndpoint("introspect", walkState)) return "not_offered";
      if (walkState.accessToken === undefined) return "no_access_token";
      return mayBePublic(walkState) ? "public_client" : undefined;
    },
    createRequest: (walkState, credentials) =>
      createIntrospection(walkState.accessToken!, walkState, credentials),
  },
  revoke: {
    authenticates: true,
    provesTokens: true,
    findBlocker(walkState) {
      if (!hasEndpoint("revoke", walkState)) return "not_offered";
      return (walkState.refreshToken ?? walkState.accessToken) === undefined ? "no_access_token" : undefined;
    },
    createRequest: ({ refreshToken, accessToken, services: { settings } }, credentials) =>
      createForm(settings.baseUrl + settings.paths.revoke, [
        ["token", refreshToken ?? accessToken!],
        ["token_type_hint", refreshToken === undefined ? "access_token" : "refresh_token"],
      ], credentials),
  },
  call_api: {
    findBlocker({ accessToken, readAccessToken, services: { settings: { demoResource } } }) {
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
    findBlocker: findReplayBlocker,
    createRequest: createCodeRequest,
  },
  tamper_verifier: {
    authenticates: true,
    provesTokens: true,
    findBlocker: (walkState) =>
      walkState.walk.codeVerifier === undefined ? "no_verifier" : findReplayBlocker(walkState),
    // The code_challenge, which the address of the authorization request shows, is no verifier.
    createRequest: (walkState, credentials) =>
      createCodeRequest(walkState, credentials, sha256(walkState.walk.codeVerifier!)),
  },
  reuse_refresh_token: {
    authenticates: true,
    provesTokens: true,
    findBlocker: ({ refreshToken, oldRefreshToken }) =>
      refreshToken === undefined
        ? "no_refresh_token"
        : oldRefreshToken === undefined
        ? "no_old_refresh_token"
        : undefined,
    createRequest: (walkState, credentials) =>
      createRefresh(walkState.oldRefreshToken!, walkState, credentials),
  },
};

export const walkStepNames = Object.keys(walkSteps) as readonly WalkStepName[];

export function findBlocker(name: WalkStepName, walkState: WalkState): WalkBlocker | undefined {
  const { client, codeIsBound, isFull } = walkState;
  if (isFull) return "too_many_steps";
  if (walkSteps[name].authenticates) {
    if (client !== undefined && signsAssertion(methodOf(client))) return "assertion_client";
    if (codeIsBound) return "bound_to_key";
  }
  return walkSteps[name].findBlocker(walkState);
}

function findReplayBlocker({ walk }: WalkState): WalkBlocker | undefined {
  return findTokens(walk).length === 0 ? "not_redeemed" : undefined;
}

function hasEndpoint(name: string, { services: { slots } }: WalkState): boolean {
  return slots.endpoints.some((endpoint) => endpoint.name === name);
}

/** RFC 7662 §2.1: a client without credentials may not introspect. */
function mayBePublic({ client }: WalkState): boolean {
  return client === undefined || methodOf(client) === publicClientMethod;
}

function createCodeRequest(
  { walk: { code, redirectUri, codeVerifier: ownVerifier }, services: { settings } }: WalkState,
  credentials: WalkCredentials,
  codeVerifier = ownVerifier,
): OwnRequest {
  const params = codeParams({ code, redirectUri, codeVerifier });
  return createForm(settings.baseUrl + settings.paths.token, params, credentials);
}

function createRefresh(
  refreshToken: string,
  { services: { settings } }: WalkState,
  credentials: WalkCredentials,
): OwnRequest {
  return createForm(settings.baseUrl + settings.paths.token, refreshParams({ refreshToken }), credentials);
}

export function createIntrospection(
  token: string,
  { services: { settings } }: Pick<WalkState, "services">,
  credentials: WalkCredentials,
): OwnRequest {
  return createForm(settings.baseUrl + settings.paths.introspect, [["token", token]], credentials);
}
