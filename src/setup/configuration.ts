/** The configuration: its TypeScript type, and the JSON schema that checks it and is published for editors. */

import type { SigningAlgorithm } from "../crypto/jwk.ts";
import type { ClientMetadata } from "../oauth/clients/client_metadata.ts";
import type { Schema } from "../schema/schema.ts";

/** The options that fit a JSON file. `createServer` and `--config FILE` take the same names. */
export interface Configuration {
  /** The URL that clients know this server by. Default: `http://localhost:9000`. */
  readonly issuer?: string;
  /** Left out: two demo clients, and any client id with a loopback redirect URI on its first use. */
  readonly clients?: readonly ClientMetadata[];
  /** Left out: alice and bob, who sign in with one click. */
  readonly people?: readonly PersonConfiguration[];
  /** Scope names with the sentences that the consent page shows. Left out: every scope is granted. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** The scope of a request that names none. Default: all configured scopes, or `read`. */
  readonly defaultScope?: string;
  /** The APIs that tokens may be for (RFC 8707). Left out: any. */
  readonly resources?: readonly string[];
  /** The values of `acr` that clients may ask for, and that every sign-in here meets. Left out: none. */
  readonly acrValues?: readonly string[];
  /** `picker` asks people; `auto` signs in the first person and consents, `auto:bob` signs in bob. */
  readonly login?: string;
  /** The algorithm that signs tokens. Default: `RS256`. */
  readonly alg?: SigningAlgorithm;
  /** `jwt` (RFC 9068) or `opaque`. */
  readonly accessTokens?: "jwt" | "opaque";
  /** The `typ` of JWT access tokens. Default: `at+jwt` (RFC 9068 §2.1); `JWT` for APIs that accept no other. */
  readonly accessTokenType?: "at+jwt" | "JWT";
  /** Seconds. */
  readonly lifetimes?: {
    readonly code?: number;
    readonly accessToken?: number;
    readonly idToken?: number;
    readonly session?: number;
    readonly refreshIdle?: number;
    readonly refreshAbsolute?: number;
    readonly refreshGrace?: number;
    /** How long a key signs before a new one takes over. Left out: until `rotateKeys` is called. */
    readonly signingKey?: number;
  };
  /** Whether an unknown client id becomes a client on its first use. Default: only without `clients`. */
  readonly firstUse?: boolean;
  /** What `/` shows. Default: `full`, with clients and people; `issuer` where other machines can reach the server. */
  readonly frontPage?: "full" | "issuer";
}

/** A person who can sign in. */
export interface PersonConfiguration {
  readonly username: string;
  /** In plain text, or as a hash that `hashPassword` made. Left out: one click signs in. */
  readonly password?: string;
  /** The person's `sub` in tokens. Default: the username. */
  readonly sub?: string;
  /** Claims of OpenID Connect: name, email, … */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const seconds: Schema = { type: "integer", minimum: 1, maximum: 315_360_000 };
const text: Schema = { type: "string", minLength: 1 };
const texts: Schema = { type: "array", items: text };

const algorithm: Schema = { type: "string", enum: ["RS256", "PS256", "ES256", "EdDSA"] };

const client: Schema = {
  type: "object",
  description: "A client, with the member names of RFC 7591.",
  required: ["client_id"],
  additionalProperties: false,
  properties: {
    client_id: text,
    client_secret: { ...text, description: "Left out for a public client." },
    client_name: { ...text, description: "The name that people see when they are asked for consent." },
    redirect_uris: { ...texts, description: "https, http on loopback, or a scheme like com.example.app:" },
    token_endpoint_auth_method: {
      ...text,
      description: "Default: none without a secret, client_secret_basic with one.",
      examples: ["none", "client_secret_basic", "client_secret_post"],
    },
    client_secret_basic: {
      type: "string",
      enum: ["encoded"],
      description:
        "encoded: Basic credentials must be form-encoded. Left out: the raw pair is accepted as well.",
    },
    grant_types: {
      ...texts,
      description:
        "Left out: authorization_code, refresh_token, and for a client with a secret or a key client_credentials.",
    },
    response_types: {
      ...texts,
      description: "Left out: code, for a client that may use authorization_code.",
    },
    scope: { ...text, description: "The scope that the client may ask for. Left out: every scope." },
    require_pkce: {
      type: "boolean",
      description: "false: a request with openid in its scope may go without PKCE when it sends a nonce.",
    },
    remember_consent: {
      type: "boolean",
      description:
        "true: a person who has agreed is not asked again. false: a person is asked each time. Left out: " +
        "true with an https redirect URI, and on loopback for a client with a secret or a key.",
    },
    jwks: {
      type: "object",
      required: ["keys"],
      description: "The public keys of a client that authenticates with private_key_jwt.",
      properties: { keys: { type: "array", items: { type: "object" } } },
    },
    client_assertion_audience: {
      type: "string",
      enum: ["issuer", "endpoint"],
      description: "endpoint: an assertion may also name the endpoint's URL, as older OpenID clients do.",
    },
    id_token_signed_response_alg: algorithm,
    userinfo_signed_response_alg: { ...algorithm, description: "Left out: userinfo is plain JSON." },
    subject_type: {
      type: "string",
      enum: ["public", "pairwise"],
      description: "pairwise: each host of clients gets another sub for the same person.",
    },
    default_max_age: { type: "integer", minimum: 0, maximum: 315_360_000 },
    post_logout_redirect_uris: texts,
    backchannel_logout_uri: text,
    backchannel_logout_session_required: { type: "boolean" },
    serves: { ...texts, description: "The APIs that this client is: it may introspect the tokens for them." },
    oauth_version: {
      type: "string",
      enum: ["2.0", "2.1"],
      description:
        "2.1: requests may leave redirect_uri out, as OAuth 2.1 allows. 2.0: with require_pkce false, a request with openid in its scope needs no nonce.",
    },
  },
};

const person: Schema = {
  type: "object",
  required: ["username"],
  additionalProperties: false,
  properties: {
    username: text,
    password: { ...text, description: "Left out: one click signs in." },
    sub: { ...text, description: "The person's sub in tokens. Default: the username." },
    claims: { type: "object", description: "Claims of OpenID Connect: name, email, …" },
  },
};

/** Checks a configuration, here and in editors that read the published schema. */
export const configurationSchema: Schema & { readonly $schema: string; readonly title: string } = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Postern configuration",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    issuer: {
      ...text,
      description: "The URL that clients know this server by.",
      examples: ["http://localhost:9000"],
    },
    clients: {
      type: "array",
      items: client,
      description:
        "Left out: two demo clients, and any client id with a loopback redirect URI on its first use.",
    },
    people: {
      type: "array",
      items: person,
      description: "Left out: alice and bob, who sign in with one click.",
    },
    scopes: {
      type: "object",
      additionalProperties: { type: "string" },
      description:
        "Scope names with the sentences that the consent page shows. Left out: every scope is granted.",
    },
    defaultScope: {
      ...text,
      description: "The scope of a request that names none. Default: all configured scopes, or read.",
    },
    resources: { ...texts, description: "The APIs that tokens may be for. Left out: any." },
    acrValues: {
      ...texts,
      description: "The values of acr that clients may ask for, and that every sign-in here meets.",
      examples: [["urn:example:silver", "urn:example:gold"]],
    },
    login: {
      type: "string",
      pattern: "^(picker|auto(:.+)?)$",
      examples: ["picker", "auto", "auto:bob"],
      description: "picker asks people; auto signs in the first person and consents; auto:bob signs in bob.",
    },
    alg: { ...algorithm, description: "The algorithm that signs tokens. Default: RS256." },
    accessTokens: { type: "string", enum: ["jwt", "opaque"] },
    accessTokenType: {
      type: "string",
      enum: ["at+jwt", "JWT"],
      description: "The typ of JWT access tokens. Default: at+jwt (RFC 9068). JWT: for APIs that accept " +
        "no other. ID tokens have the typ JWT as well, so such an API must check the audience.",
    },
    lifetimes: {
      type: "object",
      additionalProperties: false,
      description: "Seconds.",
      properties: {
        code: { ...seconds, maximum: 600, description: "Default: 300." },
        accessToken: { ...seconds, description: "Default: 3600." },
        idToken: { ...seconds, description: "Default: 3600." },
        session: { ...seconds, description: "Default: 28800." },
        refreshIdle: { ...seconds, description: "Default: 30 days." },
        refreshAbsolute: { ...seconds, description: "Default: 90 days." },
        signingKey: {
          ...seconds,
          minimum: 3600,
          description:
            "How long a key signs before a new one takes over. Left out: until rotateKeys is called.",
        },
        refreshGrace: {
          ...seconds,
          minimum: 0,
          description: "How long a used refresh token still gives the same successor again. Default: 0.",
        },
      },
    },
    firstUse: {
      type: "boolean",
      description: "Whether an unknown client id becomes a client on its first use.",
    },
    frontPage: {
      type: "string",
      enum: ["full", "issuer"],
      description:
        "What / shows. full: also clients and people. issuer: of the configuration, the issuer only. " +
        "Default: issuer where other machines can reach the server, otherwise full.",
    },
  },
};
