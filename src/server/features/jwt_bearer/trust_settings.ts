/** The option `trust`: the issuers whose JWTs clients may exchange for access tokens (RFC 7523). */

import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { unfitForRegistration } from "../../oauth/clients/metadata/redirect_uri.ts";
import { parseScope } from "../../oauth/clients/metadata/scope.ts";
import { keySetSchema, requireVerifyingKeys } from "../../oauth/foreign/foreign_keys.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { refuseOption } from "../../oauth/options/set_up_mistake.ts";
import { present } from "../../../ground/values/present.ts";
import { otherNames, type Schema, text, texts } from "../../../ground/schema/schema.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

/** The option of JWT authorization grants. */
export interface JwtBearerOptions {
  /**
   * The issuers whose JWTs clients may exchange for access tokens (RFC 7523): identity providers, whose JWTs are about
   * people, and platforms, whose JWTs are about workloads. Of several entries of one issuer, the first one that fits
   * the JWT counts. A client also needs `urn:ietf:params:oauth:grant-type:jwt-bearer` in its `grant_types`. Default: none.
   */
  readonly trust?: readonly TrustConfiguration[];
}

/** An issuer, and which of its JWTs the server accepts. */
export interface TrustConfiguration {
  /** The `iss` of the JWTs. */
  readonly issuer: string;
  /** The public keys of the issuer, as a JWK Set. Left out: the keys are at `jwks_uri`. */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  /** The URL at which the issuer publishes its keys. Left out: the keys are in `jwks`. */
  readonly jwks_uri?: string;
  /**
   * `true`: the JWTs are ID-JAGs, by which an identity provider lets a client act for a person. They have the `typ`
   * `oauth-id-jag+jwt`. Default: `false`.
   */
  readonly idJag?: boolean;
  /**
   * The accepted values of `aud`. Default: the issuer of this server, and the URL of its token endpoint. An ID-JAG is
   * always for the issuer alone.
   */
  readonly audiences?: readonly string[];
  /**
   * The accepted values of `sub`, in which `*` stands for any text: `repo:octo/app:*`. Workloads need it, because a
   * platform signs JWTs for all of its customers. Default: every `sub`.
   */
  readonly subjects?: readonly string[];
  /** Claims that the JWTs must have, with their values, in which `*` stands for any text. Default: none. */
  readonly claims?: Readonly<Record<string, string>>;
  /**
   * Which claim finds the person, by `sub`, `username` or `email`: `{ "email": "upn" }` is the person whose email is the
   * value of the claim upn. Default: `{ "sub": "sub" }` for ID-JAGs. Left out: the JWTs are about workloads, and tokens
   * have the `sub` of the JWT.
   */
  readonly person?: {
    /** The name of the claim with the person's `sub`. */
    readonly sub?: string;
    /** The name of the claim with the person's `username`. */
    readonly username?: string;
    /** The name of the claim with the person's email. */
    readonly email?: string;
    /**
     * `true`: the server creates an unknown person at first use, in a test and with the command `start`. It takes `sub`,
     * `preferred_username`, `name`, `email` and `email_verified` from the JWT, and has at most 1,000 people then.
     * Default: `false`.
     */
    readonly create?: boolean;
  };
  /** The scopes that the access tokens may have, separated by spaces. Default: those of the client. */
  readonly scope?: string;
  /** Whether the server accepts each JWT only once. Default: `true` for people and always for ID-JAGs, otherwise `false`. */
  readonly once?: boolean;
  /** `true`: clients without credentials may send the JWTs. Default: `false`. */
  readonly publicClients?: boolean;
}

const schema: Schema = {
  type: "array",
  items: closedObject({
    issuer: { ...text, [otherNames]: ["iss"], examples: ["https://idp.example"] },
    jwks: keySetSchema,
    jwks_uri: {
      ...text,
      [otherNames]: ["jwksUri", "jwksUrl"],
      examples: ["https://idp.example/jwks.json"],
    },
    idJag: { type: "boolean", [otherNames]: ["id_jag"] },
    audiences: { ...texts, minItems: 1, [otherNames]: ["audience", "aud"] },
    subjects: { ...texts, minItems: 1, [otherNames]: ["subject", "sub"] },
    claims: { type: "object", additionalProperties: text, examples: [{ ref: "refs/heads/main" }] },
    person: closedObject({ sub: text, username: text, email: text, create: { type: "boolean" } }, {
      example: { email: "email" },
    }),
    scope: { ...text, [otherNames]: ["scopes"] },
    once: { type: "boolean" },
    publicClients: { type: "boolean", [otherNames]: ["public_clients"] },
  }, { required: ["issuer"] }),
  examples: [[{ issuer: "https://idp.example", jwks_uri: "https://idp.example/jwks.json", idJag: true }]],
};

export interface TrustedIssuer {
  readonly issuer: string;
  /** All entries of the issuer have the same keys. */
  readonly source: { readonly keys: readonly Jwk[] } | { readonly uri: string };
  readonly entries: readonly TrustEntry[];
}

export interface TrustEntry {
  readonly isIdJag: boolean;
  /** Absent: the issuer of this server, and the URL of its token endpoint. */
  readonly audiences?: readonly string[];
  /** The claims that must match a pattern, with `sub` first. */
  readonly claims: readonly (readonly [name: string, patterns: readonly string[]])[];
  /** Absent: a workload. */
  readonly person?: PersonClaim;
  readonly scope?: readonly string[];
  readonly isOnce: boolean;
  readonly acceptsPublicClients: boolean;
}

/** The claim that finds a person, and the property of the person that has the same value. */
export interface PersonClaim {
  readonly claim: string;
  readonly property: "sub" | "username" | "email";
  readonly creates: boolean;
}

export const trustSetting: Setting<
  readonly TrustConfiguration[],
  ReadonlyMap<string, TrustedIssuer>
> = {
  name: "trust",
  schema,
  read(option = [], settings) {
    const issuers = new Map<string, TrustedIssuer>();
    for (const [index, configured] of option.entries()) {
      const place = `trust[${index}]`;
      const { issuer } = configured;
      // ID-JAG §8.3: the server must not issue access tokens for its own ID-JAGs.
      if (issuer === settings.issuer) refuseOption(`${place}.issuer`, "must not be this server itself");
      const source = readSource(configured, place);
      const known = issuers.get(issuer);
      if (known !== undefined && JSON.stringify(known.source) !== JSON.stringify(source)) {
        refuseOption(place, `must have the same keys as the other entries of ${issuer}`);
      }
      checkEntry(configured, place);
      if (configured.person?.create && !settings.addsPeople) {
        refuseOption(
          `${place}.person.create`,
          "needs the test kit or the command start, which can add people",
        );
      }
      const entries = [...known?.entries ?? [], readEntry(configured)];
      issuers.set(issuer, { issuer, source: known?.source ?? source, entries });
    }
    return issuers;
  },
};

function readSource({ jwks, jwks_uri: uri }: TrustConfiguration, place: string): TrustedIssuer["source"] {
  if (uri === undefined) {
    if (jwks === undefined) return refuseOption(place, "must have the keys of the issuer: jwks or jwks_uri");
    requireVerifyingKeys(`${place}.jwks.keys`, jwks.keys);
    return { keys: jwks.keys };
  }
  if (jwks !== undefined) refuseOption(place, "must have jwks or jwks_uri, and not both");
  // Others could replace keys that are read without TLS on a public network.
  const problem = unfitForRegistration(uri, { allowsPrivateHttp: true }) ??
    (/^https?:/i.test(uri) ? undefined : "must be https");
  return problem === undefined ? { uri } : refuseOption(`${place}.jwks_uri`, problem);
}

function checkEntry(
  { idJag, audiences, subjects, person, scope, once }: TrustConfiguration,
  place: string,
): void {
  if (idJag && audiences !== undefined) {
    refuseOption(`${place}.audiences`, "must be left out: an ID-JAG is for the issuer of this server");
  }
  if (idJag && once === false) refuseOption(`${place}.once`, "must be left out: an ID-JAG is accepted once");
  if (person !== undefined && Object.keys(present({ ...person, create: undefined })).length !== 1) {
    refuseOption(`${place}.person`, "must have one of sub, username and email");
  }
  if (!idJag && person === undefined && subjects === undefined) {
    refuseOption(
      `${place}.subjects`,
      'must be given for workloads: ["*"] accepts each workload of the platform. For people, give person',
    );
  }
  if (scope !== undefined && parseScope(scope) === undefined) {
    refuseOption(`${place}.scope`, "must be scope names separated by single spaces");
  }
}

function readEntry(
  { idJag: isIdJag = false, audiences, subjects, claims = {}, person, scope, once, publicClients }:
    TrustConfiguration,
): TrustEntry {
  const { create: creates = false, ...names } = person ?? (isIdJag ? { sub: "sub" } : {});
  const [property, claim] = Object.entries(present(names))[0] ?? [];
  const hasPerson = claim !== undefined;
  const expected = Object.entries(claims).map(([name, pattern]) => [name, [pattern]] as const);
  return {
    isIdJag,
    ...present({ audiences, scope: scope?.split(" ") }),
    ...present({
      person: hasPerson ? { property: property as PersonClaim["property"], claim, creates } : undefined,
    }),
    claims: subjects === undefined ? expected : [["sub", subjects], ...expected],
    isOnce: once ?? hasPerson,
    acceptsPublicClients: publicClients ?? false,
  };
}
