/** The stored consent of a person to a client's requests, so that the person need not be asked again. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import type { Kind } from "../../store/store.ts";
import type { Services } from "../contracts/feature.ts";

export interface Consent {
  /** The person and the client, of which the id of the record has only a hash. */
  readonly subject: string;
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly scope: readonly string[];
  /** The scopes that the person was asked for last time, and left out. */
  readonly leftOut: readonly string[];
  readonly resource: readonly string[];
  /** The lines of the other rows of the consent page that must be granted, each with the name of its row. */
  readonly lines: readonly string[];
  readonly redirectOrigins: readonly string[];
}

export const consents: Kind<Consent> = { name: "consent" };

/** A person who consented at one issuer is asked again at another one. */
export function consentId(subject: string, clientId: string, { settings }: Services): string {
  const { issuerInRecords: issuer } = settings;
  return sha256(JSON.stringify(issuer === undefined ? [subject, clientId] : [subject, clientId, issuer]));
}
