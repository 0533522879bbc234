/** Client authentication by a signed assertion (RFC 7523, RFC 10070; OpenID Connect Core §9). */

import { sha256 } from "../crypto/bytes.ts";
import { type Jwk, publicJwk, signingAlgorithms, thumbprint, verifiesWith } from "../crypto/jwk.ts";
import { readUnverified, type VerifiedJwt, type VerifyingKey, verifyJwt } from "../crypto/jwt.ts";
import type { Client } from "../oauth/clients/client.ts";
import { clientKeys, jwksMember } from "../oauth/clients/client_keys.ts";
import { memberOf } from "../oauth/clients/client_member.ts";
import { OAuthError, type RefusalDetails } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { ClientMember, Credentials, Feature, MetadataValue } from "../oauth/feature.ts";
import type { Claims } from "../oauth/members.ts";
import type { Params } from "../oauth/params.ts";
import type { Services } from "../oauth/services.ts";
import type { Kind } from "../store/store.ts";

export type AssertionReason =
  | "assertion_type_unsupported"
  | "assertion_signature"
  | "assertion_type_foreign"
  | "assertion_issuer"
  | "assertion_subject"
  | "assertion_audience"
  | "assertion_expired"
  | "assertion_too_long"
  | "assertion_without_jti"
  | "assertion_replayed";

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const assertionAudience: ClientMember<"issuer" | "endpoint"> = {
  name: "client_assertion_audience",
  schema: {
    type: "string",
    enum: ["issuer", "endpoint"],
    description: "endpoint: an assertion may also name the endpoint's URL, as older OpenID clients do.",
  },
};

// An assertion is for now; one that is good for days is a password that travels.
const longestLifetime = 3600;
const skew = 60;

const usedAssertions: Kind<{ readonly usedAt: number }> = { name: "once" };

export function privateKeyJwt(): Feature {
  const keys = createKeyCache();
  return {
    name: "private_key_jwt",
    spec: "RFC 7523, RFC 10070",
    clientMembers: [jwksMember, assertionAudience],
    clientAuth: [{
      name: "private_key_jwt",
      readsAssertion: true,
      needs: jwksMember.name,
      read: (exchange, form) => readAssertion(exchange, form, keys),
    }],
    metadata: {
      token_endpoint_auth_signing_alg_values_supported: algorithmsAt("token_endpoint"),
      revocation_endpoint_auth_signing_alg_values_supported: algorithmsAt("revocation_endpoint"),
      introspection_endpoint_auth_signing_alg_values_supported: algorithmsAt("introspection_endpoint"),
    },
  };
}

/** RFC 8414 §2: each endpoint that clients authenticate at says which algorithms it takes. */
function algorithmsAt(endpoint: string): MetadataValue {
  return ({ slots }) =>
    slots.endpoints.some(({ metadataName }) => metadataName === endpoint) ? signingAlgorithms : undefined;
}

type FindKeys = (client: Client) => readonly ClientKey[];

interface ClientKey extends VerifyingKey {
  readonly kid: string | undefined;
}

/** A client's keys, the same ones for as long as the server knows the client: importing them takes time. */
function createKeyCache(): FindKeys {
  const cache = new WeakMap<Client, readonly ClientKey[]>();
  return (client) => {
    let keys = cache.get(client);
    if (keys === undefined) cache.set(client, keys = clientKeys(client).flatMap(readKeys));
    return keys;
  };
}

function readKeys(jwk: Jwk): readonly ClientKey[] {
  const { kid } = jwk;
  return verifiesWith(jwk).map((alg) => ({
    kid,
    alg,
    publicJwk: publicJwk(jwk, kid ?? thumbprint(jwk), alg),
  }));
}

/** Reads only that there is an assertion: it is checked once no other credentials have come beside it. */
function readAssertion(exchange: Exchange, form: Params, findKeys: FindKeys): readonly Credentials[] {
  const assertion = form.get("client_assertion");
  const type = form.get("client_assertion_type");
  if (assertion === undefined && type === undefined) return [];
  const subject = readUnverified(assertion ?? "")?.["sub"];
  return [{
    clientId: typeof subject === "string" ? subject : form.get("client_id") ?? "",
    prove: async (client, services) =>
      checkType(type) ?? await checkAssertion(assertion ?? "", client, exchange, findKeys, services),
  }];
}

function checkType(type: string | undefined): OAuthError | undefined {
  if (type === assertionType) return undefined;
  return refuse("This client_assertion_type is not supported", {
    reason: "assertion_type_unsupported",
    spec: "RFC 7523 §2.2",
    expected: assertionType,
    received: type ?? "no client_assertion_type",
  });
}

async function checkAssertion(
  assertion: string,
  client: Client,
  exchange: Exchange,
  findKeys: FindKeys,
  services: Services,
): Promise<OAuthError | undefined> {
  const keys = findKeys(client);
  const jwt = await verifyJwt(assertion, (kid, alg) => findKey(keys, kid, alg));
  if (jwt === undefined) {
    return refuse("The client_assertion is not signed with a key of this client", {
      reason: "assertion_signature",
      spec: "RFC 7523 §3",
      expected: `a key of the client's jwks, and one of ${signingAlgorithms.join(", ")}`,
    });
  }
  return checkTyp(jwt) ?? checkClaims(jwt.claims, client, exchange, services) ??
    await checkFirstUse(jwt.claims, client, services);
}

/** Where the assertion or the key has no kid, there must be no doubt which key is meant. */
function findKey(keys: readonly ClientKey[], kid: string | undefined, alg: string): VerifyingKey | undefined {
  const fit = keys.filter((key) => key.alg === alg && (kid ?? key.kid) === (key.kid ?? kid));
  return fit.length === 1 ? fit[0] : undefined;
}

/** RFC 8725 §3.12: another kind of JWT, signed by the same key, must not pass for this one. */
function checkTyp({ typ }: VerifiedJwt): OAuthError | undefined {
  if (typ === undefined || /^(application\/)?(jwt|client-authentication\+jwt)$/i.test(typ)) return undefined;
  return refuse("The client_assertion is a JWT of another kind", {
    reason: "assertion_type_foreign",
    spec: "RFC 10070 §4",
    expected: "typ client-authentication+jwt, JWT, or none",
    received: typ,
  });
}

function checkClaims(
  claims: Claims,
  client: Client,
  exchange: Exchange,
  services: Services,
): OAuthError | undefined {
  const { settings, now } = services;
  const { iss, sub, aud, exp, nbf, iat } = claims;
  if (iss !== client.id) {
    return refuse("The iss of a client_assertion must be the client itself", {
      reason: "assertion_issuer",
      spec: "RFC 7523 §3",
      expected: client.id,
      received: String(iss),
    });
  }
  if (sub !== client.id) {
    return refuse("The sub of a client_assertion must be the client itself", {
      reason: "assertion_subject",
      spec: "RFC 7523 §3",
      expected: client.id,
      received: typeof sub === "string" ? sub : "no sub, or one that is no text",
    });
  }
  // RFC 10070 §4: one audience, exactly the issuer. Anything else may have been made for another server.
  const audience = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  const own = [
    settings.issuer,
    ...(memberOf(client, assertionAudience) === "endpoint"
      ? [settings.baseUrl + exchange.request.address.path.slice(settings.basePath.length)]
      : []),
  ];
  if (typeof audience !== "string" || !own.includes(audience)) {
    return refuse(
      "The aud of a client_assertion must be this issuer, and nothing else",
      {
        reason: "assertion_audience",
        spec: "RFC 10070 §4",
        expected: own.join(" or "),
        received: JSON.stringify(aud) ?? "no aud",
      },
    );
  }
  const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
  const early = [nbf, iat].some((time) => time !== undefined && (!isTime(time) || time > now() + skew));
  if (!isTime(exp) || exp <= now() - skew || early) {
    return refuse("The client_assertion is not good at this time", {
      reason: "assertion_expired",
      spec: "RFC 7523 §3",
      expected: `exp after ${Math.floor(now())}, and neither nbf nor iat ahead of it`,
      received: `exp ${exp}, nbf ${nbf}, iat ${iat}`,
    });
  }
  if (exp > now() + longestLifetime + skew) {
    return refuse("The client_assertion is good for too long", {
      reason: "assertion_too_long",
      spec: "RFC 7523 §3",
      expected: `at most ${longestLifetime} seconds`,
    });
  }
  return undefined;
}

/** OpenID Connect Core §9: each assertion once, whichever endpoint or process sees it first. */
async function checkFirstUse(
  claims: Claims,
  client: Client,
  { store, now }: Services,
): Promise<OAuthError | undefined> {
  const { jti, exp } = claims;
  if (typeof jti !== "string" || jti === "") {
    return refuse("The client_assertion has no jti", {
      reason: "assertion_without_jti",
      spec: "OpenID Connect Core §9",
    });
  }
  const id = sha256(JSON.stringify(["client_assertion", client.id, jti]));
  const terms = { expiresAt: Math.ceil(exp as number) + skew, now: now(), if: null };
  if (await store.put(usedAssertions, id, { usedAt: now() }, terms) !== undefined) return undefined;
  return refuse("The client_assertion was used before", {
    reason: "assertion_replayed",
    spec: "OpenID Connect Core §9",
    expected: "a new jti for each request",
  });
}

function refuse(description: string, details: RefusalDetails<AssertionReason>): OAuthError {
  return new OAuthError("invalid_client", description, details);
}
