/** Issues an ID-JAG without a token exchange, right or with one named fault, for tests of a server that accepts ID-JAGs. */

import { importSigningKey, signWithHeader } from "../../../ground/crypto/jwt.ts";
import { writeUnsigned } from "../../faults/changes.ts";
import { type IdJagFault, idJagFaults } from "../../faults/id_jag_faults.ts";
import type { Level } from "../../faults/misbehaviour.ts";
import { suggestMisbehaviour } from "../../faults/plain_words.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { describeIdJag, idJagTyp } from "../../../server/oauth/tokens/id_jag_claims.ts";
import { present } from "../../../ground/values/present.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { loadEntries } from "../misbehaving/load_entries.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { requirePerson, toList } from "../terms/configured.ts";
import { usernameIn } from "../terms/username_in.ts";
import { requireTerms, types } from "../terms/known_options.ts";

/**
 * Options of `idJag`: whom and what the ID-JAG is for.
 * @example { "audience": "http://localhost:8080", "client": "agent", "fault": "expired" }
 */
export interface IdJagTerms {
  /** The issuer of the server that the ID-JAG is for. */
  readonly audience: string;
  /** The id that the client has at that server. */
  readonly client: string;
  /** The person of the ID-JAG. Default: the person of automatic sign-in, or the first person. */
  readonly username?: string;
  /** @deprecated Use `username`. */
  readonly person?: string;
  /** The scopes of the ID-JAG. */
  readonly scope?: string | readonly string[];
  /** The resource (API) that the ID-JAG is for, or a list of resources. */
  readonly resource?: string | readonly string[];
  /** Claims that are added to the default claims or replace them. `undefined` removes a claim. */
  readonly claims?: Claims;
  /** What is wrong with the ID-JAG. Default: nothing. */
  readonly fault?: IdJagFault;
}

/** An ID-JAG, and how a server must answer it. */
export interface IdJag {
  /** The ID-JAG, to send as `assertion`. */
  readonly token: string;
  /** How a server must answer an ID-JAG with a fault. Absent: it must accept the ID-JAG. */
  readonly verdict?: IdJagVerdict;
}

/** The answer that a server must give to an ID-JAG with a fault. */
export interface IdJagVerdict {
  /** How strongly the rule obliges the server. */
  readonly level: Level;
  readonly status: 400;
  readonly error: "invalid_grant" | "invalid_scope" | "invalid_target";
  /** The rule with its section. */
  readonly spec: string;
  /** The fault in one sentence, for the message of a failing test. */
  readonly why: string;
}

export async function idJag(terms: IdJagTerms, running: RunningTenant): Promise<IdJag> {
  running.requireOpen();
  requireTerms("issue an ID-JAG", terms, types.IdJagTerms, { fault: {} });
  for (const name of ["audience", "client"] as const) {
    if (terms[name] === undefined) throw new TypeError(`Cannot issue an ID-JAG: ${name} must be given`);
  }
  const { fault } = terms;
  if (fault !== undefined && !idJagFaults.includes(fault)) {
    throw new TypeError(
      `There is no fault ${describeValue(fault)} of an ID-JAG: as.idJagFaults lists them${
        suggestMisbehaviour(fault, idJagFaults)
      }`,
    );
  }
  return await issue(terms, running);
}

async function issue(terms: IdJagTerms, { services }: RunningTenant): Promise<IdJag> {
  const { alg } = services.settings;
  const own = await services.keys.signingKey(alg);
  const right = {
    header: { alg: own.alg, typ: idJagTyp, kid: own.kid },
    claims: describeClaims(terms, services),
  };
  if (terms.fault === undefined) return { token: await signWithHeader(own, right.header, right.claims) };
  const { wrongIdJags } = await loadEntries();
  const { change, level, error, rule, why } = wrongIdJags[terms.fault];
  const { header, claims, key } = change(right);
  const signing = key === undefined || key === "none" ? own : await importSigningKey(key, alg);
  return {
    token: key === "none" ? writeUnsigned({ header, claims }) : await signWithHeader(signing, header, claims),
    verdict: { level, status: 400, error, spec: rule, why },
  };
}

function describeClaims(terms: IdJagTerms, services: Services): Claims {
  const person = services.settings.people.find(requirePerson(usernameIn(terms), { services }))!;
  const claims = describeIdJag({
    audience: terms.audience,
    clientId: terms.client,
    subject: person.subject,
    scope: toList(terms.scope),
    resource: toList(terms.resource),
    emailOf: person,
  }, services);
  return present({ ...claims, ...terms.claims });
}
