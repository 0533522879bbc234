/** Lists the grants, consents and sign-ins of people and clients, for pages on which a developer looks at the server. */

import { type Consent, consents } from "../../../server/oauth/people/consent_record.ts";
import { fullEnd, isCurrent } from "../../../server/oauth/people/find_session.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import { type Account, type SessionRef, sessions } from "../../../server/oauth/contracts/session.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { checkGrant, findGrant, refreshEnd } from "../../../server/oauth/tokens/check_grant.ts";
import { type Grant, grants } from "../../../server/oauth/contracts/grant.ts";
import type { GrantRow, TokenRow } from "./access.tsx";
import type { Loss } from "./directory_english.ts";
import { present } from "../../../ground/values/present.ts";
import type { Entry, Kind } from "../../../server/store/store.ts";

/** Whose grants or consents: those of a person, of a client, or of a person for a client. */
export interface AccessOf {
  readonly subject?: string;
  readonly clientId?: string;
}

interface RecordList<T> {
  readonly found: readonly T[];
  /** False if the store cannot list records, or has more of this kind than one page may read. */
  readonly isComplete: boolean;
}

// Enough for a page, and a bound for a server that a load test has filled.
const mostRead = 10_000;

/** Lists the records of a kind that are not expired. `read` returns `undefined` for a record to leave out. */
async function listRecords<T, R>(
  kind: Kind<T>,
  read: (record: Entry<T> & { readonly id: string }) => R | undefined,
  { store, now, most = mostRead }: Pick<Services, "store" | "now"> & { readonly most?: number | undefined },
): Promise<RecordList<R>> {
  const found: R[] = [];
  if (store.list === undefined) return { found, isComplete: false };
  let count = 0;
  for await (const record of store.list(kind)) {
    if (record.expiresAt <= now()) continue;
    if (++count > most) return { found, isComplete: false };
    const item = read(record);
    if (item !== undefined) found.push(item);
  }
  return { found, isComplete: true };
}

export interface ListedGrant {
  readonly id: string;
  readonly grant: Grant;
}

/** Lists the grants that are neither denied nor revoked, the last used one first. `ended`: lists this revoked one, too. */
export async function listGrants(
  { ended, ...of }: AccessOf & { readonly ended?: string | undefined },
  services: Services,
  most?: number,
): Promise<RecordList<ListedGrant>> {
  const { store, now } = services;
  const listed = await listRecords(grants, ({ id, value }): ListedGrant | undefined => {
    if (value.status === "denied" || value.status === "revoked" && id !== ended) return undefined;
    return isOf(of, value) ? { id, grant: value } : undefined;
  }, { store, now, most });
  const lastStepOf = ({ grant }: ListedGrant) => lastStep(grant, services);
  return { ...listed, found: listed.found.toSorted((left, right) => lastStepOf(right) - lastStepOf(left)) };
}

/** When the client last got a code or tokens. */
function lastStep(grant: Grant, services: Services): number {
  return lastUse(grant) ?? approvalTime(grant, services) ?? grant.authTime ?? 0;
}

function lastUse({ refresh, redeemedAt }: Grant): number | undefined {
  return refresh?.rotatedAt ?? redeemedAt;
}

/** The grant of a device has no code. The device polls, so it gets its tokens right after the approval. */
function approvalTime({ code, redeemedAt }: Grant, { settings }: Services): number | undefined {
  return code === undefined ? redeemedAt : code.expiresAt - settings.lifetimes.code;
}

// An operator can undo these.
const passing: ReadonlySet<Loss> = new Set<Loss>(["person_disabled", "scope_removed"]);

/** Returns the tokens of a grant that have not expired. They are computed, because the server stores no tokens. */
export async function describeGrant(
  { id, grant }: ListedGrant,
  services: Services,
): Promise<Pick<GrantRow, "approvedAt" | "usedAt" | "tokens" | "loss" | "canEnd">> {
  const times = present({ approvedAt: approvalTime(grant, services), usedAt: lastUse(grant) });
  const entry = await findGrant(id, services);
  if (entry === undefined) return { ...times, tokens: [], canEnd: false };
  const check = entry.value.status === "revoked"
    ? { isValid: false, loss: "grant_revoked" } as const
    : await checkGrant(id, entry, services);
  const tokens = listTokens(grant, services).filter(({ endsAt }) => endsAt > services.now());
  const canEnd = tokens.length > 0 && (check.isValid || passing.has(check.loss));
  return { ...times, tokens, canEnd, ...present({ loss: check.isValid ? undefined : check.loss }) };
}

function listTokens(grant: Grant, services: Services): readonly TokenRow[] {
  const { status, code, refresh, resource } = grant;
  const { settings: { baseUrl, paths, issuer, lifetimes } } = services;
  const here = [baseUrl + paths.token];
  if (status === "approved") {
    return code === undefined ? [] : [{ kind: "code", endsAt: code.expiresAt, audience: here }];
  }
  const audience = resource.length > 0 ? resource : [issuer];
  const accessEnd = Math.floor(lastStep(grant, services)) + lifetimes.accessToken;
  return [
    { kind: "access_token", endsAt: accessEnd, audience },
    ...(refresh === undefined ? [] : [{
      kind: "refresh_token" as const,
      endsAt: refreshEnd(refresh, grant, services),
      audience: here,
    }]),
  ];
}

export interface ListedConsent extends Pick<Consent, "subject" | "clientId" | "scope" | "resource"> {
  readonly endsAt: number;
}

export async function listConsents(of: AccessOf, services: Services): Promise<RecordList<ListedConsent>> {
  return await listRecords(
    consents,
    ({ value, expiresAt }) => isOf(of, value) ? { ...value, endsAt: expiresAt } : undefined,
    services,
  );
}

function isOf({ subject, clientId }: AccessOf, record: Readonly<Record<keyof AccessOf, string>>): boolean {
  return (subject ?? record.subject) === record.subject && (clientId ?? record.clientId) === record.clientId;
}

/** Returns how many ended. A look-alike at the hosts of its provider has a consent of its own. */
export async function endConsents(of: AccessOf, { store }: Services): Promise<number> {
  let ended = 0;
  for await (const { id, value } of store.list?.(consents) ?? []) {
    if (!isOf(of, value)) continue;
    await store.delete(consents, id);
    ended++;
  }
  return ended;
}

export interface ListedSignIn {
  readonly session: SessionRef;
  readonly person: Person;
  readonly account: Account;
  readonly endsAt: number;
}

/** Lists the sign-ins that have effect, the latest first. `subject`: of this person only. */
export async function listSignIns(
  { subject }: Pick<AccessOf, "subject">,
  services: Services,
  most?: number,
): Promise<RecordList<ListedSignIn>> {
  const { store, now, settings: { people } } = services;
  const listed = await listRecords(
    sessions,
    ({ id, value: { accounts, isBrief }, expiresAt }) =>
      accounts.flatMap((account) => {
        const person = people.findBySubject(account.subject);
        if (
          person === undefined || person.isDisabled || subject !== undefined && subject !== account.subject
        ) return [];
        if (!isBrief && !isCurrent(account, services)) return [];
        const session = { id, sid: account.sid, ...present({ isBrief: isBrief || undefined }) };
        return [{ session, person, account, endsAt: isBrief ? expiresAt : fullEnd(account, services) }];
      }),
    { store, now, most },
  );
  const signIns = await withoutOldPasswords(listed.found.flat(), services);
  return { ...listed, found: signIns.sort((left, right) => right.account.authTime - left.account.authTime) };
}

/** A new password ends the sign-ins with the old one. */
async function withoutOldPasswords(
  signIns: readonly ListedSignIn[],
  { people }: Services,
): Promise<ListedSignIn[]> {
  const marks = await Promise.all(signIns.map(({ person }) => people.passwordMark(person)));
  return signIns.filter(({ account }, index) => account.passwordMark === marks[index]);
}
