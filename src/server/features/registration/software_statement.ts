/** Software statements: metadata that a third party has signed (RFC 7591 §2.3). */

import { isNumericDate, readUnverified } from "../../../ground/crypto/jwt.ts";
import { clockSkew } from "../../oauth/options/clock_skew.ts";
import { verifyWith } from "../../oauth/foreign/foreign_jwt.ts";
import { type AddedErrorCode, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { registrationSetting } from "./registration_settings.ts";

const invalidStatement: AddedErrorCode = { code: "invalid_software_statement", status: 400 };
const unapprovedStatement: AddedErrorCode = { code: "unapproved_software_statement", status: 400 };

const refusal = refusals({ error: invalidStatement, spec: "RFC 7591 §2.3, §3.2.2" }, {
  software_statement_malformed: {
    sentence: "The software_statement is not a JWT",
    expected: "a signed JWT",
    change: "Send the software statement as a signed JWT.",
  },
  software_statement_issuer_unknown: {
    error: unapprovedStatement,
    sentence: "This server does not trust the issuer of the software_statement",
    expected: "an iss of registration.softwareStatements",
    change: "Add the issuer of the statement to registration.softwareStatements.",
  },
  software_statement_signature: {
    sentence: "The signature of the software_statement is not valid",
    expected: "a signature with one of the keys of {iss}",
    change: "Sign the statement with one of the keys that its issuer has in the configuration.",
  },
  software_statement_expired: {
    sentence: "The software_statement {fault}",
    expected: "no exp in the past, and no nbf in the future",
    change: "Get a new software statement, and compare the clocks.",
  },
  software_statement_audience: {
    sentence: "The software_statement is for another server",
    expected: "aud {issuer}, or no aud",
    change: "Use a statement whose aud is this issuer, or that has no aud.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function readSoftwareStatement(statement: unknown, services: Services): Promise<Members> {
  const { statementIssuers } = settingOf(services.settings, registrationSetting);
  const unverified = typeof statement === "string" ? readUnverified(statement) : undefined;
  if (unverified === undefined) throw refusal("software_statement_malformed");
  const { iss } = unverified;
  const keys = typeof iss === "string" ? statementIssuers.get(iss) : undefined;
  if (keys === undefined) {
    throw refusal("software_statement_issuer_unknown", {
      expected: statementIssuers.size === 0
        ? "no software_statement, because no issuers are configured in registration.softwareStatements"
        : `iss ${[...statementIssuers.keys()].join(" or ")}`,
      received: typeof iss === "string" ? `iss ${iss}` : "no iss",
    });
  }
  const jwt = await verifyWith(keys, statement as string);
  if (jwt === undefined) throw refusal("software_statement_signature", { iss: iss as string });
  requireCurrent(jwt.claims, services);
  return jwt.claims;
}

/** Checks the claims that a statement may have (RFC 7519 §4.1). */
function requireCurrent({ exp, nbf, aud }: Members, { settings, now }: Services): void {
  const isOld = exp !== undefined && (!isNumericDate(exp) || exp <= now() - clockSkew);
  const isEarly = nbf !== undefined && (!isNumericDate(nbf) || nbf > now() + clockSkew);
  if (isOld || isEarly) {
    throw refusal("software_statement_expired", {
      fault: isOld ? "has expired" : "is not valid yet",
      expected: (isOld ? `exp after ${Math.floor(now())}` : `no nbf after ${Math.floor(now())}`) +
        ", which is now at the server",
      received: isOld ? `exp ${JSON.stringify(exp)}` : `nbf ${JSON.stringify(nbf)}`,
    });
  }
  if (aud === undefined || [aud].flat().includes(settings.issuer)) return;
  throw refusal("software_statement_audience", {
    issuer: settings.issuer,
    received: `aud ${JSON.stringify(aud)}`,
  });
}
