/** The outcome of a race: its answers and the records it leaves, in a form that is comparable between runs. */
import { createHash } from "node:crypto";
import type { OpaqueToken } from "../../src/server/oauth/tokens/access_token.ts";
import type { Client } from "../../src/server/oauth/contracts/client.ts";
import { type Denial, type Grant, type GrantCode, grants } from "../../src/server/oauth/contracts/grant.ts";
import type { Session } from "../../src/server/oauth/contracts/session.ts";
import type { Entry, Store } from "../../src/server/store/store.ts";
import type { JournalEntry } from "../../src/mod.ts";
import { callbackParams } from "../world.ts";

export interface Answer {
  readonly status?: number;
  readonly error?: string;
  readonly reason?: string;
  /** The members of a JSON answer, or the parameters of a redirect. */
  readonly members?: readonly string[];
  /** The redirect URI that the answer goes to. */
  readonly leftFor?: string;
  /** The address of the server's next page, without the encrypted value in its query. */
  readonly leadsTo?: string;
  /** Of a page. */
  readonly heading?: string;
  /** RFC 9110 §15.5.2: a 401 must carry a challenge. */
  readonly challenged?: boolean;
  readonly setsCookie?: boolean;
  /** The error of a contestant that sends no request. */
  readonly threw?: string;
}

export interface Outcome {
  readonly answers: Readonly<Record<string, Answer>>;
  /** The records that are left, without random ids and versions. */
  readonly left: readonly Readonly<Record<string, unknown>>[];
}

/** The statuses of the answers, in ascending order. */
export function statuses({ answers }: Outcome): readonly (number | undefined)[] {
  return Object.values(answers).map(({ status }) => status).sort();
}

/** The records of this kind that are left. */
export function leftOf(kind: string, { left }: Outcome): Outcome["left"] {
  return left.filter((record) => record["kind"] === kind);
}

/** The outcome without the records of these kinds, which may depend on the order. */
export function without(...kinds: readonly string[]): (outcome: Outcome) => Outcome {
  return ({ answers, left }) => ({ answers, left: left.filter(({ kind }) => !kinds.includes(String(kind))) });
}

/** The answer to one contestant. */
export interface Observed {
  readonly answer: Answer;
  /** The code that the answer carried. */
  readonly code?: string;
}

export async function describeAnswer(
  response: Response | undefined,
  entry: JournalEntry | undefined,
): Promise<Observed> {
  if (response === undefined) return { answer: {} };
  const { status, headers } = response;
  const body = await response.text();
  const refusal = entry?.facts.refusal;
  const common = {
    status,
    ...(refusal === undefined ? {} : { error: refusal.error, reason: refusal.reason }),
    ...(status === 401 ? { challenged: headers.has("www-authenticate") } : {}),
    ...(headers.has("set-cookie") ? { setsCookie: true } : {}),
  };
  const location = headers.get("location");
  if (location?.startsWith("/")) return { answer: { ...common, leadsTo: location.split("=")[0]! } };
  if (location !== null) {
    const params = callbackParams(response);
    const code = params.get("code");
    return {
      answer: { ...common, leftFor: location.split(/[?#]/)[0]!, members: [...params.keys()].sort() },
      ...(code === null ? {} : { code }),
    };
  }
  if (headers.get("content-type")?.startsWith("application/json")) {
    return { answer: { ...common, members: Object.keys(JSON.parse(body)).sort() } };
  }
  const heading = /<h1[^>]*>([^<]*)/.exec(body)?.[1];
  return { answer: { ...common, ...(heading === undefined ? {} : { heading }) } };
}

export interface Remains {
  readonly store: Store;
  readonly now: number;
  /** Every kind of record that a call has named. */
  readonly kinds: Iterable<string>;
  readonly observed: Readonly<Record<string, Observed>>;
}

/** Random ids, versions and epochs differ between runs, so records are described by what they refer to. */
export async function describeRemains({ store, now, kinds, observed }: Remains): Promise<Outcome["left"]> {
  const left: Readonly<Record<string, unknown>>[] = [];
  for (const kind of [...kinds].sort()) {
    const records: Readonly<Record<string, unknown>>[] = [];
    for await (const { id, ...entry } of store.list!({ name: kind })) {
      if (entry.expiresAt <= now) continue;
      const record = await describeRecord(kind, id, entry, { store, now, kinds, observed });
      if (record !== undefined) records.push({ kind, ...record, lives: entry.expiresAt - now });
    }
    left.push(...records.sort((one, other) => JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  return left;
}

/** Leaves out the id of the clock, which each server chooses at random. */
function describeCode({ clock: _clock, ...code }: GrantCode, observed: Remains["observed"]): object {
  return { ...code, hash: `given to ${holderOf(code.hash, observed)}` };
}

async function describeRecord(
  kind: string,
  id: string,
  { value }: Entry<unknown>,
  { store, now, observed }: Remains,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (kind === "grant") {
    const { status, clientId } = value as Grant | Denial;
    if (status === "denied") return { status, clientId };
    const { code, clientEpoch, session, redeemedAt, refresh, ...grant } = value as Grant;
    const client = await store.get<Client>({ name: "client" }, grant.clientId, now);
    return {
      ...grant,
      clientEpoch: clientEpoch === (client?.value.epoch ?? "configured") ? "the client's" : "another",
      session: session !== undefined && await store.get({ name: "session" }, session.id, now) !== undefined,
      // The chain's secrets differ from run to run; its generation does not.
      ...(refresh === undefined ? {} : { generation: refresh.generation }),
      redeemed: redeemedAt !== undefined,
      ...(code === undefined ? {} : { code: describeCode(code, observed) }),
    };
  }
  if (kind === "client") {
    const { epoch: _epoch, ...client } = value as Client;
    // The order of the members differs between a stored client and a new one.
    return Object.fromEntries(Object.entries(client).sort(([one], [other]) => one < other ? -1 : 1));
  }
  if (kind === "session") {
    return {
      accounts: (value as Session).accounts.map(({ sid: _sid, clock: _clock, ...account }) => account),
    };
  }
  if (kind === "access_token") {
    // An opaque token is stored before its grant and is valid only while the grant is active.
    const { jti, scope, aud } = (value as OpaqueToken).claims;
    const grant = await store.get(grants, String(jti).split(".")[0]!, now);
    return grant?.value.status === "active" ? { scope, aud } : undefined;
  }
  if (kind === "pushed_request") {
    const { clock: _clock, ...request } = value as { readonly clock: string };
    return { id, value: request };
  }
  return { id, value };
}

function holderOf(hash: string, observed: Remains["observed"]): string {
  for (const [name, { code }] of Object.entries(observed)) {
    const secret = code?.split(".")[1];
    if (secret !== undefined && createHash("sha256").update(secret).digest("base64url") === hash) return name;
  }
  return "an earlier request";
}
