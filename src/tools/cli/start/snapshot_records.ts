/** The records in the file of a snapshot, by their kind. A server trusts what is in its store, so a file is checked first. */

import type { KeptRecord } from "../../../kit/mock/server/records.ts";
import { unfitForSigning } from "../../../ground/crypto/jwk.ts";
import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { Slots } from "../../../server/oauth/contracts/feature.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { keySets } from "../../../server/setup/key_set.ts";
import { importSigningKey, signJwt } from "../../../ground/crypto/jwt.ts";
import { never } from "../../../server/store/store.ts";
import { anyText, constant, flag, list, object, openObject } from "../../../ground/schema/schema_of.ts";

const text = anyText();
const texts = list(text);
const time: Schema = { type: "number", minimum: 0, maximum: never };
const count: Schema = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const uri: Schema = { type: "string", pattern: "^[A-Za-z][A-Za-z0-9+.-]*:[^\\s]+$" };

type KeySet = NonNullable<typeof keySets["value"]>;
type KeptKey = KeySet["signing"][number];

type Properties = Readonly<Record<string, Schema>>;

function record(needed: Properties, optional: Properties = {}): Schema {
  return openObject({ ...needed, ...optional }, { required: Object.keys(needed) });
}

/** Members with the same form. */
function each(form: Schema, ...names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, form]));
}

const confirmation = each(text, "method", "thumbprint");
const pairs = list<unknown>({ type: "array", items: text, minItems: 2, maxItems: 2 });
const session = record({ id: text, sid: text }, { isBrief: flag() });

const carried = record({}, {
  ...each(text, "nonce", "user_code", "acr_values"),
  max_age: { type: "number", minimum: 0 },
  claims: record({}, { userinfo: texts, idToken: texts, subject: text, acr: text, isAcrEssential: flag() }),
  authorization_details: list(record({ type: text }, { locations: texts })),
});

const grant = record({
  status: { type: "string", enum: ["approved", "active", "revoked"] },
  ...each(text, "clientId", "clientEpoch", "subject"),
  ...each(texts, "scope", "resource", "amr"),
  carried,
}, {
  ...each(text, "issuer", "passwordMark"),
  ...each(time, "authTime", "redeemedAt"),
  session,
  refresh: record({ familyHash: text, key: text, generation: count, rotatedAt: time, endsAt: time }, {
    ...each(flag(), "replacesOnce", "isUnused"),
    clock: text,
    binding: record({ ...confirmation, fromGeneration: count }),
  }),
  code: record({ hash: text, redirectUri: uri, expiresAt: time }, {
    challenge: text,
    confirmation: record(confirmation),
    clock: text,
  }),
  lastResponse: record({}, {
    ...each(texts, "scope", "resource"),
    claims: object(),
    confirmation: record(confirmation),
  }),
});

const account = record(
  { ...each(text, "subject", "sid"), authTime: time, ...each(texts, "amr", "clients") },
  each(text, "clock", "passwordMark"),
);

const authentication = record({ method: text }, {
  ...each(text, "secretHash", "secret", "otherSecretHash", "clock"),
  ...each(time, "secretExpiresAt", "registeredAt"),
});

const registration = record(
  { issuedAt: time, accessTokenHash: text, metadata: object(), hadInitialToken: flag() },
  { issuer: text },
);

function describeClient(members: Schema): Schema {
  const needed = {
    ...each(text, "id", "epoch"),
    ...each(texts, "grantTypes", "responseTypes"),
    redirectUris: list(uri),
    requirePkce: flag(),
    members,
  };
  const optional = {
    ...each(text, "name", "sector", "placeList", "demoSecret"),
    ...each(flag(), "allowsPrivateHttp", "rememberConsent", "unregistered", "isDemo"),
    authentication,
    scope: texts,
    oauthVersion: { type: "string", enum: ["2.0", "2.1"] },
    approvedBy: { type: "string", enum: ["operator", "person"] },
    aliveUntil: time,
  } as const;
  // The one constant says which of the two forms a client has.
  const registered = { source: constant("registration"), registeredItself: flag(), registration };
  const other = { source: { type: "string", pattern: "^(?!registration$)" } } as const;
  return {
    anyOf: [record({ ...needed, ...registered }, optional), record({ ...needed, ...other }, optional)],
  };
}

const keySet = record({
  signing: list(record(
    { alg: { type: "string", enum: signingAlgorithms }, jwk: object(), signsFrom: time },
    { publishedUntil: time },
  )),
  sealing: text,
});

const usedOnce = record({ usedAt: time });
const sealed = record({ sealed: text });

/** The features have the schemas of the members of clients. */
function describeKinds({ clientMembers }: Pick<Slots, "clientMembers">): Readonly<Record<string, Schema>> {
  const client = describeClient(
    record({}, Object.fromEntries([...clientMembers].map(([name, { schema }]) => [name, schema]))),
  );
  return {
    access_token: record({ secretHash: text, claims: object() }, { issuer: text }),
    client,
    client_document: record({ metadata: object() }),
    client_places: record({ taken: list(record({ id: text, takenAt: time })) }),
    consent: record({
      ...each(text, "subject", "clientId", "clientEpoch"),
      ...each(texts, "scope", "leftOut", "resource", "lines", "redirectOrigins"),
    }),
    device_polls: record({ polledAt: time, interval: time }),
    device_request: record(
      { clientId: text, secretHash: text, params: pairs, lifetime: time, expiresAt: time },
      { issuer: text, confirmation: record(confirmation), clock: text, defaultScope: texts },
    ),
    grant: { anyOf: [record({ status: constant("denied"), clientId: text }), grant] },
    health: {},
    key_set: keySet,
    long_request: sealed,
    once: usedOnce,
    pairwise_secret: record({ secret: text }),
    push_bound: record({ blocks: list(record({ octets: count, endsAt: time })) }),
    pushed_request: record(
      { clientId: text, secretHash: text, params: pairs, arrivedBy: texts, expiresAt: time },
      { clock: text },
    ),
    revoked_token: record({ revokedAt: time }, { asExpired: flag() }),
    session: record({ secretHash: text, accounts: list(account) }, { isBrief: flag() }),
    throttle: record({ failures: count }),
    user_code: record({ requestId: text }),
    verified_sector: record({}),
    waiting_client: client,
    waiting_requests: record({ ends: list(time) }),
    walk: sealed,
  };
}

/** Each record is of one kind, and its value has the form of that kind. */
export function describeRecords(slots: Pick<Slots, "clientMembers">): Schema {
  const kinds = Object.entries(describeKinds(slots));
  const anyOf = kinds.map(([kind, value]) =>
    record({ kind: constant(kind), id: text, expiresAt: time, value })
  );
  return list({ anyOf });
}

/** Returns what no schema says: that two records are the same, or that a key is none. The records fit their schema. */
export async function findWrongRecord(
  records: readonly KeptRecord[],
  place: string,
): Promise<string | undefined> {
  const seen = new Map<string, string>();
  for (const [index, { kind, id, value }] of records.entries()) {
    const here = `${place}[${index}]`;
    const name = JSON.stringify([kind, id]);
    const other = seen.get(name);
    if (other !== undefined) return `${here} must have another id than ${other}`;
    seen.set(name, here);
    const problem = kind === keySets.name ? await findWrongKey(value as KeySet, `${here}.value`) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function findWrongKey({ signing, sealing }: KeySet, place: string): Promise<string | undefined> {
  for (const [index, key] of signing.entries()) {
    if (!await signs(key)) return `${place}.signing[${index}].jwk must be a private key for ${key.alg}`;
  }
  return isSealingKey(sealing) ? undefined : `${place}.sealing must be 32 octets in base64url`;
}

/** Some members of a key are wrong only for the library that signs. */
async function signs({ jwk, alg }: KeptKey): Promise<boolean> {
  if (unfitForSigning(jwk, alg) !== undefined) return false;
  try {
    await signJwt(await importSigningKey(jwk, alg), "JWT", {});
    return true;
  } catch {
    return false;
  }
}

function isSealingKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
