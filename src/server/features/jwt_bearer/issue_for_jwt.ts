/** Describes the grant of a token for a JWT: stored for a person, and not stored for a workload. Each JWT is used once. */

import { isNumericDate } from "../../../ground/crypto/jwt.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { ExchangeableToken } from "../../oauth/contracts/exchangeable_token.ts";
import type { Grant } from "../../oauth/contracts/grant.ts";
import { present } from "../../../ground/values/present.ts";
import type { JwtPerson } from "./jwt_subject.ts";
import type { TrustedJwt } from "./trusted_jwt.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import { clockSkew, markMargin } from "../../oauth/options/clock_skew.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { findGrant } from "../../oauth/tokens/check_grant.ts";
import type { Kind } from "../../store/store.ts";

type IssuedFor = ExchangeableToken["issuedFor"];

export interface IssueOptions extends Pick<Grant, "scope" | "resource"> {
  readonly jwt: TrustedJwt;
  /** Absent: the JWT is about a workload. */
  readonly person: JwtPerson | undefined;
  readonly client: Client;
  /** The grant uses up the JWT. */
  readonly isOnce: boolean;
}

export async function issueFor(options: IssueOptions, services: Services): Promise<IssuedFor> {
  const { person } = options;
  return person === undefined
    ? issueForWorkload(options, services)
    : await issueForPerson(person, options, services);
}

/** The grant has no session, so a sign-out does not end it. */
async function issueForPerson(
  { take }: JwtPerson,
  options: IssueOptions,
  services: Services,
): Promise<IssuedFor> {
  const { jwt, isOnce } = options;
  const { claims } = jwt;
  const { id: grantId, expiresAt: keepUntil } = isOnce
    ? await requireUnused(jwt, services)
    : { id: createId(services.random) };
  const person = take();
  const authTime = isNumericDate(claims["auth_time"]) ? claims["auth_time"] : undefined;
  const passwordMark = await services.people.passwordMark(person);
  return {
    grantId,
    grant: {
      ...describeGrant(person.subject, options),
      ...present({ authTime, passwordMark, issuer: services.settings.issuerInRecords }),
      redeemedAt: services.now(),
    },
    replaces: null,
    ...present({ keepUntil }),
  };
}

/** The token is valid while its client exists, as with client credentials. */
function issueForWorkload(options: IssueOptions, services: Services): IssuedFor {
  const { jwt, isOnce } = options;
  return {
    grant: describeGrant(jwt.subject, options),
    replaces: "unstored",
    // RFC 7523 §3: the principal is the workload, and the client only presents its JWT.
    subject: jwt.subject,
    ...present({ useUp: isOnce ? () => recordUse(jwt, services) : undefined }),
  };
}

function describeGrant(subject: string, { client, scope, resource, jwt: { claims } }: IssueOptions): Grant {
  const { amr } = claims;
  return {
    status: "active",
    clientId: client.id,
    clientEpoch: client.epoch,
    subject,
    scope,
    resource,
    amr: Array.isArray(amr) ? amr.filter((each) => typeof each === "string") : [],
    carried: {},
  };
}

const refusal = refusals({
  jwt_grant_replayed: {
    error: "invalid_grant",
    spec: "RFC 7523 §3",
    sentence: "The JWT was used before",
    expected: "a JWT that no request has used",
    change:
      "Get a new JWT from the issuer for each token request, and use the access token until it expires. For JWTs that are no ID-JAGs, once: false in the entry of trust accepts them again.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The record that uses up a JWT. The store keeps it for longer than the JWT is valid. */
interface JwtUse {
  readonly id: string;
  readonly expiresAt: number;
}

/** Without jti, a JWT is recognised by what its issuer has signed: a second signature of the same text may differ. */
function describeUse({ text, issuer, claims: { jti, exp } }: TrustedJwt): JwtUse {
  const identity = typeof jti === "string" && jti !== ""
    ? ["jti", jti]
    : ["text", text.slice(0, text.lastIndexOf("."))];
  return {
    id: sha256(JSON.stringify(["jwt_grant", issuer, ...identity])),
    expiresAt: Math.ceil(exp as number) + clockSkew + markMargin,
  };
}

/**
 * Returns the id of the grant that the JWT gives. The write of the grant uses up the JWT, because the id must be free. If
 * another request writes it first, the token endpoint decides again, and this function refuses.
 */
async function requireUnused(jwt: TrustedJwt, services: Services): Promise<JwtUse> {
  const use = describeUse(jwt);
  if (await findGrant(use.id, services) !== undefined) throw refusal("jwt_grant_replayed");
  return use;
}

const usedJwts: Kind<{ readonly usedAt: number }> = { name: "once" };

async function recordUse(jwt: TrustedJwt, { store, now }: Services): Promise<void> {
  const { id, expiresAt } = describeUse(jwt);
  if (await store.put(usedJwts, id, { usedAt: now() }, { expiresAt, now: now(), if: null }) === undefined) {
    throw refusal("jwt_grant_replayed");
  }
}
