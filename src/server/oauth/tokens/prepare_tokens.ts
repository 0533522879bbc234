/** Prepares the tokens that a grant type proposes, storing opaque ones only, commits the change of their grant, and answers. */

import type { Exchange } from "../contracts/exchange.ts";
import type { Services, TokenIssue } from "../contracts/feature.ts";
import type { Client } from "../contracts/client.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Members } from "../../../ground/values/members.ts";
import { readForm } from "../contracts/params.ts";
import { passSeam } from "../contracts/seams.ts";
import type { Settings, TokenClaims } from "../contracts/settings.ts";
import { createAccessToken } from "./access_token.ts";
import { grants, type LastResponse } from "../contracts/grant.ts";
import type { Change, Redemption, TokenMembers } from "../contracts/redemption.ts";
import { isSame } from "../../../ground/values/is_same.ts";
import { present } from "../../../ground/values/present.ts";

/** The token_type of a token that is no access token (RFC 8693 §2.2.1). */
const notAnAccessToken = "N_A";

/** The token response, and the change of the grant that has to succeed before the client gets it. */
interface PreparedTokens extends Change {
  readonly members: Members;
  readonly livesUntil: number;
}

/**
 * Collects claims, calls hooks, and signs tokens or stores opaque ones. These steps may be slow or fail, so they run before
 * the grant is written. If another request writes the grant first, an opaque token is in the store already. The client
 * does not get this token, and it expires unused.
 */
export async function prepareTokens(proposed: TokenIssue, services: Services): Promise<PreparedTokens> {
  const { settings } = services;
  const { client, sender: { confirmation, tokenType }, exchange } = proposed;
  const { otherToken } = proposed.redemption;
  const tokenClaims = otherToken === undefined && settings.tokenClaims.length > 0
    ? await findTokenClaims(proposed.redemption, client, exchange, settings)
    : undefined;
  const redemption = { ...proposed.redemption, ...present({ tokenClaims }) };
  const bound = confirmation === undefined ? redemption : { ...redemption, confirmation };
  const token = otherToken ?? await createAccessToken(bound, client, exchange, services);
  const members: Record<string, unknown> = {
    ...redemption.members,
    access_token: token.text,
    token_type: otherToken === undefined ? tokenType : notAnAccessToken,
    expires_in: token.lifetime,
    // A scope has at least one name (OAuth 2.1 §1.4.1), but a token that is no access token may have no scope.
    ...present({ scope: redemption.scope.length === 0 ? undefined : redemption.scope.join(" ") }),
  };
  const isAlone = otherToken !== undefined || redemption.accessTokenOnly;
  const issued = { ...proposed, redemption, accessToken: token.text };
  const added = isAlone ? [] : await addMembers(issued, services);
  Object.assign(members, ...added.map((each) => each.members));
  const { grantId, useUp, ...change } = isAlone ? redemption : recordResponse(proposed);
  return {
    ...present({ grantId, useUp }),
    grant: added.reduce((grant, each) => ({ ...grant, ...each.grant }), change.grant),
    replaces: change.replaces,
    keepUntil: Math.max(change.keepUntil ?? 0, token.expiresAt, ...added.map((each) => each.expiresAt ?? 0)),
    livesUntil: Math.max(token.expiresAt, ...added.map((each) => each.livesUntil ?? 0)),
    members,
  };
}

/** The token response, after the change of the grant. */
export async function answerTokens(
  { members: prepared, grant }: PreparedTokens,
  exchange: Exchange,
  { seams }: Services,
): Promise<Answer> {
  const value = { status: 200, members: prepared };
  const { status, members } = await passSeam(seams, "token_response", value, exchange, grant);
  return json(members, { status });
}

async function addMembers(
  issue: TokenIssue & { readonly accessToken: string },
  services: Services,
): Promise<readonly TokenMembers[]> {
  const all: TokenMembers[] = [];
  for (const add of services.slots.tokenMembers) {
    const added = await add(issue, services);
    if (added !== undefined) all.push(added);
  }
  return all;
}

function recordResponse(issue: TokenIssue): Redemption {
  const { redemption } = issue;
  const { grantId, grant, keepsGrant } = redemption;
  const hasIdTokens = grantId !== undefined && grant.scope.includes("openid");
  const lastResponse = hasIdTokens ? describeResponse(issue) : grant.lastResponse;
  if (keepsGrant && isSame(lastResponse, grant.lastResponse)) return { ...redemption, replaces: "unstored" };
  return lastResponse === undefined ? redemption : { ...redemption, grant: { ...grant, lastResponse } };
}

async function findTokenClaims(
  { scope }: Redemption,
  { id }: Client,
  exchange: Exchange,
  { tokenClaims }: Settings,
): Promise<TokenClaims | undefined> {
  const form = await readForm(exchange);
  const valuesOf = (param: string): readonly string[] =>
    param === "client_id" ? [id] : param === "scope" ? [scope.join(" ")] : form.all(param);
  return tokenClaims.find(({ when }) =>
    when.every(([param, pattern]) => valuesOf(param).some((value) => pattern.test(value)))
  );
}

/**
 * Resolves to `false` if another request has changed the grant since it was read: of several at the same time, one gets
 * `true`. A grant that is not written has no such conflict: it is always `true`, or `useUp` throws.
 */
export async function commitChange(
  { grantId, grant, replaces, keepUntil, useUp }: Change,
  { store, now }: Services,
): Promise<boolean> {
  if (grantId === undefined || replaces === "unstored") {
    await useUp?.();
    return true;
  }
  const terms = { expiresAt: keepUntil, now: now(), if: replaces };
  return await store.put(grants, grantId, grant, terms) !== undefined;
}

/** Describes a token response for the record of its grant, because an ID token is exchanged for no more (RFC 8693 §5). */
function describeResponse(
  { redemption: { grant, scope, resource, claims }, sender: { confirmation } }: TokenIssue,
): LastResponse {
  return present({
    scope: isSame(scope, grant.scope) ? undefined : scope,
    resource: isSame(resource, grant.resource) ? undefined : resource,
    claims,
    confirmation,
  });
}
