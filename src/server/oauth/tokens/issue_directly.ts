/** Proposes tokens without an authorization request or a token request, for tests. The steps are those of the requests. */

import { carry, nonceKey } from "../contracts/feature_values.ts";
import { type Client, methodOf } from "../contracts/client.ts";
import { type RequestedAccess, requireScope } from "../clients/metadata/scope.ts";
import { createId } from "../secrets/credential.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Person } from "../contracts/people.ts";
import type { Services, TokenIssue } from "../contracts/feature.ts";
import { admit, type Attempt, tryTypedPassword, type Typed } from "../people/try_password.ts";
import { present } from "../../../ground/values/present.ts";
import { type Grant, grants } from "../contracts/grant.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { bearer } from "../contracts/sender.ts";
import { answerTokens, commitChange, prepareTokens } from "./prepare_tokens.ts";
import { redeemForClient } from "./redeem_for_client.ts";
import { redeemGrant } from "./check_grant.ts";
import type { Redemption } from "../contracts/redemption.ts";
import { requireResources } from "./resource.ts";

/** Throws the refusals of an authorization request. */
export function requireDirectAccess(
  scope: string | undefined,
  resource: readonly string[],
  client: Client,
  services: Services,
): RequestedAccess {
  return {
    scope: requireScope(scope, client, services),
    resource: requireResources(resource, services.settings),
  };
}

/** Lets a person in without a page. One without a password, who signs in with one click, may send any. */
export async function signInDirectly(
  { username, password }: Typed,
  { request }: Exchange,
  services: Services,
): Promise<Attempt> {
  const { people } = services.settings;
  const person = people.find(username) ?? people.findByHint(username);
  if (person !== undefined && person.password === undefined) return admit(person);
  const typed = { username: person?.username ?? username, password };
  return await tryTypedPassword(typed, request.peer, services);
}

/** Stores a new grant that the person approved, and proposes its first tokens. */
export async function redeemForPerson(
  { person, access, nonce }: {
    readonly person: Person;
    readonly access: RequestedAccess;
    readonly nonce: string | undefined;
  },
  client: Client,
  { settings, store, now, random, people }: Services,
): Promise<Redemption> {
  const grantId = createId(random);
  const passwordMark = await people.passwordMark(person);
  const grant: Grant = {
    status: "approved",
    clientId: client.id,
    clientEpoch: client.epoch,
    subject: person.subject,
    ...access,
    authTime: Math.floor(now()),
    amr: person.password === undefined ? [] : ["pwd"],
    ...present({ passwordMark, issuer: settings.issuerInRecords }),
    carried: carry(nonceKey, nonce),
  };
  const expiresAt = Math.floor(now()) + settings.lifetimes.code;
  const version = await store.put(grants, grantId, grant, { expiresAt, now: now() });
  return redeemGrant(grantId, { value: grant, version: version!, expiresAt }, access, { now });
}

/** Answers with the tokens, whose grant no other request knows yet. */
export async function answerDirectly(
  redemption: TokenIssue["redemption"],
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const tokens = await prepareTokens({ redemption, client, sender: bearer, exchange }, services);
  await commitChange(tokens, services);
  return await answerTokens(tokens, exchange, services);
}

/** Proposes a token of the client itself, as if it had authenticated by its method. */
export function redeemForItself(
  access: { readonly scope: string | undefined; readonly resource: readonly string[] },
  client: Client,
  exchange: Exchange,
  services: Services,
): Redemption {
  return redeemForClient({ ...access, client, method: methodOf(client) }, exchange, services);
}
