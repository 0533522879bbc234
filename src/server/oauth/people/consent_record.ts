/** The stored consent of a person to a client's requests, so that the person need not be asked again. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import type { Kind } from "../../store/store.ts";
import type { Services } from "../contracts/feature.ts";
import type { Grant } from "../contracts/grant.ts";

/** The id of the record has only a hash of the person and the client. */
export interface Consent extends Pick<Grant, "subject" | "clientId" | "clientEpoch" | "scope" | "resource"> {
  /** The scopes that the person was asked for last time, and left out. */
  readonly leftOut: readonly string[];
  /** The lines of the other rows of the consent page that must be granted, each with the name of its row. */
  readonly lines: readonly string[];
  readonly redirectOrigins: readonly string[];
}

export const consents: Kind<Consent> = { name: "consent" };

/** A person who consented at one issuer is asked again at another one. */
export function consentId(subject: string, clientId: string, { settings }: Services): string {
  return sha256(JSON.stringify([subject, clientId, settings.issuerInRecords]));
}
