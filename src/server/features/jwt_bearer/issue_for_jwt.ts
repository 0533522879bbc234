/** Describes the grant of a token for a JWT: stored for a person, and not stored for a workload. */

import { isNumericDate } from "../../crypto/jwt.ts";
import type { Client } from "../../oauth/clients/client.ts";
import { createId } from "../../oauth/credential.ts";
import type { Services } from "../../oauth/feature.ts";
import type { ExchangeableToken } from "../../oauth/tokens/exchangeable_token.ts";
import type { Grant } from "../../oauth/tokens/grant.ts";
import { present } from "../../values/present.ts";
import type { JwtPerson } from "./jwt_subject.ts";
import type { TrustedJwt } from "./trusted_jwt.ts";
import { recordUse, requireUnused } from "./used_jwts.ts";

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
    : { id: createId(services.random), expiresAt: 0 };
  const person = take();
  const authTime = isNumericDate(claims["auth_time"]) ? claims["auth_time"] : undefined;
  const passwordMark = await services.people.passwordMark(person);
  return {
    grantId,
    grant: {
      ...describeGrant(person.subject, options),
      ...present({ authTime, passwordMark }),
      redeemedAt: services.now(),
    },
    replaces: null,
    keepUntil,
  };
}

/** The token is valid while its client exists, as with client credentials. */
function issueForWorkload(options: IssueOptions, services: Services): IssuedFor {
  const { jwt, isOnce } = options;
  return {
    grant: describeGrant(jwt.subject, options),
    replaces: "unstored",
    keepUntil: 0,
    // RFC 7523 §3: the principal is the workload, and the client only presents its JWT.
    subject: jwt.subject,
    ...(isOnce ? { useUp: () => recordUse(jwt, services) } : {}),
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
