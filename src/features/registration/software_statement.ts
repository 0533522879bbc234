/** Software statements: metadata that a third party has signed (RFC 7591 §2.3). */

import { isNumericDate, readUnverified, verifyJwt } from "../../crypto/jwt.ts";
import { clockSkew } from "../../oauth/clock_skew.ts";
import { type AddedErrorCode, fail } from "../../oauth/error.ts";
import type { Members } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import type { StatementKey } from "../../oauth/settings.ts";

export type SoftwareStatementReason =
  | "software_statement_malformed"
  | "software_statement_issuer_unknown"
  | "software_statement_signature"
  | "software_statement_expired"
  | "software_statement_audience";

const invalidStatement: AddedErrorCode = { code: "invalid_software_statement", status: 400 };
const unapprovedStatement: AddedErrorCode = { code: "unapproved_software_statement", status: 400 };

/** Returns the claims of a valid statement of a configured issuer. */
export async function readSoftwareStatement(statement: unknown, services: Services): Promise<Members> {
  const { statementIssuers } = services.settings.registration;
  const unverified = typeof statement === "string" ? readUnverified(statement) : undefined;
  if (unverified === undefined) {
    return refuse(invalidStatement, "The software_statement is not a JWT", {
      reason: "software_statement_malformed",
      expected: "a signed JWT",
    });
  }
  const { iss } = unverified;
  const keys = typeof iss === "string" ? statementIssuers.get(iss) : undefined;
  if (keys === undefined) {
    return refuse(unapprovedStatement, "This server does not trust the issuer of the software_statement", {
      reason: "software_statement_issuer_unknown",
      expected: statementIssuers.size === 0
        ? "no software_statement, because no issuers are configured in registration.softwareStatements"
        : `iss ${[...statementIssuers.keys()].join(" or ")}`,
      received: typeof iss === "string" ? `iss ${iss}` : "no iss",
    });
  }
  const jwt = await verifyJwt(statement as string, (kid, alg) => findKey(keys, kid, alg));
  if (jwt === undefined) {
    return refuse(invalidStatement, "The signature of the software_statement is not valid", {
      reason: "software_statement_signature",
      expected: `a signature with one of the keys of ${iss}`,
    });
  }
  requireCurrent(jwt.claims, services);
  return jwt.claims;
}

/** A missing kid matches every kid. Returns `undefined` if several keys match. */
function findKey(
  keys: readonly StatementKey[],
  kid: string | undefined,
  alg: string,
): StatementKey | undefined {
  const matches = keys.filter((key) => key.alg === alg && (kid ?? key.kid) === (key.kid ?? kid));
  return matches.length === 1 ? matches[0] : undefined;
}

/** Checks the claims that a statement may have (RFC 7519 §4.1). */
function requireCurrent({ exp, nbf, aud }: Members, { settings, now }: Services): void {
  const isOld = exp !== undefined && (!isNumericDate(exp) || exp <= now() - clockSkew);
  const isEarly = nbf !== undefined && (!isNumericDate(nbf) || nbf > now() + clockSkew);
  if (isOld || isEarly) {
    refuse(invalidStatement, `The software_statement ${isOld ? "has expired" : "is not valid yet"}`, {
      reason: "software_statement_expired",
      expected: (isOld ? `exp after ${Math.floor(now())}` : `no nbf after ${Math.floor(now())}`) +
        ", which is now at the server",
      received: isOld ? `exp ${JSON.stringify(exp)}` : `nbf ${JSON.stringify(nbf)}`,
    });
  }
  if (aud === undefined || [aud].flat().includes(settings.issuer)) return;
  refuse(invalidStatement, "The software_statement is for another server", {
    reason: "software_statement_audience",
    expected: `aud ${settings.issuer}, or no aud`,
    received: `aud ${JSON.stringify(aud)}`,
  });
}

function refuse(
  code: AddedErrorCode,
  description: string,
  details: {
    readonly reason: SoftwareStatementReason;
    readonly expected: string;
    readonly received?: string;
  },
): never {
  return fail<SoftwareStatementReason>(code, description, { ...details, spec: "RFC 7591 §2.3, §3.2.2" });
}
