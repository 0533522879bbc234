/** Lists and ends remembered consents, for pages on which a developer looks at the server. */

import { listRecords, type RecordList } from "./list_records.ts";
import type { Services } from "../../oauth/services.ts";
import { type Consent, consentId, consents } from "../../oauth/people/consent_record.ts";

/** A consent that spares the person the question. */
export interface ListedConsent extends Pick<Consent, "subject" | "clientId" | "scope" | "resource"> {
  readonly endsAt: number;
}

/** Lists the remembered consents of a person or for a client, for pages on which a developer looks at the server. */
export async function listConsents(
  { subject, clientId }: { readonly subject?: string; readonly clientId?: string },
  services: Services,
): Promise<RecordList<ListedConsent>> {
  return await listRecords(
    consents,
    ({ value, expiresAt }) =>
      (subject ?? value.subject) === value.subject && (clientId ?? value.clientId) === value.clientId
        ? { ...value, endsAt: expiresAt }
        : undefined,
    services,
  );
}

/** Forgets a consent, so that the person is asked again. */
export async function endConsent(
  { subject, clientId }: Pick<Consent, "subject" | "clientId">,
  { store }: Services,
): Promise<void> {
  await store.delete(consents, consentId(subject, clientId));
}
