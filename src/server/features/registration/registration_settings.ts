/** The options of registration: `registration`, and the lifetime of the secrets of registered clients. */

import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { hashSecret } from "../../oauth/secrets/credential.ts";
import { keySetSchema, requireVerifyingKeys } from "../../oauth/foreign/foreign_keys.ts";
import { createLifetime, type Lifetime } from "../../oauth/options/lifetime.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { requireEach } from "../../oauth/options/set_up_mistake.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { type Schema, texts } from "../../../ground/schema/schema.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

/** The option of registration. */
export interface RegistrationOptions {
  /**
   * Whether clients can register themselves (RFC 7591), and how. `true`: without an initial access token. Default:
   * `true` if other machines cannot reach the server, otherwise `false`.
   */
  readonly registration?: boolean | RegistrationConfiguration;
}

/** The lifetime of the secrets of registered clients. */
export interface RegistrationLifetimes {
  /** How long the secret of a client that registered itself is valid. Left out: it does not expire. */
  readonly clientSecret?: Duration;
}

/** How clients register themselves (RFC 7591). */
export interface RegistrationConfiguration {
  /**
   * Secrets that allow a client to register. Such a client may use every grant type and redirect URI, and its
   * registration does not expire. Default: none.
   */
  readonly initialAccessTokens?: readonly string[];
  /**
   * Whether a client may register without an initial access token. Such a client may use only `authorization_code` and
   * `refresh_token`, and redirect URIs on loopback or with a private scheme. Its registration ends after an hour, or
   * after seven days if a person approves the client. The server keeps at most 200 clients that no person has approved,
   * and 2,000 others. Default: `true` if `initialAccessTokens` is left out.
   */
  readonly open?: boolean;
  /** Metadata for every registered client. A client cannot register it itself. Default: none. */
  readonly clientMetadata?: RegisteredClientMetadata;
  /** The issuers of accepted software statements (RFC 7591 §2.3), each with its public keys. Default: none. */
  readonly softwareStatements?: Readonly<Record<string, { readonly keys: readonly Jwk[] }>>;
}

/** Metadata that only the operator of the server decides. */
export interface RegisteredClientMetadata {
  /**
   * `false`: a client that has a secret or a key may omit PKCE in a request with `openid` in its scope and a nonce.
   * Default: `true`.
   */
  readonly require_pkce?: boolean;
  /** `2.0`: with `require_pkce` `false`, such a request needs no nonce. Default: it needs one. */
  readonly oauth_version?: "2.0";
  /** `endpoint`: the `aud` of a client assertion may also be the URL of the endpoint. Default: `issuer`. */
  readonly client_assertion_audience?: "issuer" | "endpoint";
}

const schema: Schema = {
  anyOf: [
    { type: "boolean" },
    closedObject({
      initialAccessTokens: texts,
      open: { type: "boolean" },
      clientMetadata: closedObject({
        require_pkce: { type: "boolean" },
        oauth_version: { type: "string", enum: ["2.0"] },
        client_assertion_audience: { type: "string", enum: ["issuer", "endpoint"] },
      }),
      softwareStatements: {
        type: "object",
        additionalProperties: keySetSchema,
      },
    }),
  ],
  examples: [true, false, { initialAccessTokens: ["a-long-secret"] }],
};

interface RegistrationTerms {
  /** A client needs no initial access token, but it may register less without one. */
  readonly isOpen: boolean;
  readonly initialTokenHashes: readonly string[];
  readonly clientMetadata: Members;
  /** The keys of the issuers of software statements (RFC 7591 §2.3). */
  readonly statementIssuers: ReadonlyMap<string, readonly Jwk[]>;
}

export const registrationSetting: Setting<boolean | RegistrationConfiguration, RegistrationTerms> = {
  name: "registration",
  schema,
  read: readRegistration,
};

export const clientSecretLifetime: Lifetime = createLifetime("clientSecret", {});

function readRegistration(option: boolean | RegistrationConfiguration = true): RegistrationTerms {
  const terms = typeof option === "boolean" ? {} : option;
  const { initialAccessTokens: tokens = [], open, clientMetadata = {}, softwareStatements = {} } = terms;
  requireEach("registration.initialAccessTokens", tokens, (token) =>
    // RFC 6750 §2.1. Another text cannot be sent in the Authorization header.
    /^[A-Za-z0-9._~+/-]+=*$/.test(token)
      ? undefined
      : "must have only letters, digits and the characters . _ ~ + / - with = at the end (RFC 6750 §2.1)");
  for (const [issuer, { keys }] of Object.entries(softwareStatements)) {
    requireVerifyingKeys(`registration.softwareStatements[${JSON.stringify(issuer)}].keys`, keys);
  }
  return {
    isOpen: open ?? tokens.length === 0,
    initialTokenHashes: tokens.map(hashSecret),
    clientMetadata: { ...clientMetadata },
    statementIssuers: new Map(
      Object.entries(softwareStatements).map(([issuer, { keys }]) => [issuer, keys]),
    ),
  };
}
