/** Finds a grant in the store by its id or by its code. */

import type { Entry } from "../../store/store.ts";
import type { Services } from "../services.ts";
import { parseCredential, provesSecret } from "../credential.ts";
import { type Denial, type Grant, type GrantCode, grants } from "./grant.ts";

export async function findGrant(id: string, { store, now }: Services): Promise<Entry<Grant> | undefined> {
  const entry = await store.get(grants, id, now());
  return isGrant(entry) ? entry : undefined;
}

function isGrant(entry: Entry<Grant | Denial> | undefined): entry is Entry<Grant> {
  return entry !== undefined && entry.value.status !== "denied";
}

export interface GrantByCode {
  readonly id: string;
  readonly entry: Entry<Grant>;
  readonly code: GrantCode;
}

/** Finds the grant of a code, even if the code is used or the grant is revoked. */
export async function findGrantByCode(
  code: string,
  { store, now }: Services,
): Promise<GrantByCode | undefined> {
  const credential = parseCredential(code);
  if (credential === undefined) return undefined;
  const entry = await store.get(grants, credential.id, now());
  if (!isGrant(entry)) return undefined;
  const { code: grantCode } = entry.value;
  return grantCode !== undefined && provesSecret(credential.secret, grantCode.hash)
    ? { id: credential.id, entry, code: grantCode }
    : undefined;
}
