/** What a configuration may hold: the type for TypeScript, and the JSON schema that checks it and is published. */

import type { Schema } from "./check_schema.ts";
import type { SigningAlgorithm } from "./crypto/jwk.ts";
import type { ClientMetadata } from "./oauth/client_metadata.ts";

/** Everything that fits a JSON file: the same names in `createServer`'s options and in `--config FILE`. */
export interface Configuration {
  /** Where this server is known under. Default: `http://localhost:9000`. */
  readonly issuer?: string;
  /** Left out: two demo clients, and any client id with a loopback redirect URI on its first use. */
  readonly clients?: readonly ClientMetadata[];
  /** Left out: alice and bob, who sign in with one click. */
  readonly people?: readonly PersonConfiguration[];
  /** Scope names with the words the consent page says. Left out: every scope is granted. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** What a request without scope asks for. Default: `read`, or all configured scopes. */
  readonly defaultScope?: string;
  /** The APIs that tokens may be for (RFC 8707). Left out: every one. */
  readonly resources?: readonly string[];
  /** `picker` asks people; `auto` signs the first of them in and consents, `auto:bob` signs in bob. */
  readonly login?: string;
  /** What signs tokens. Default: `RS256`. */
  readonly alg?: SigningAlgorithm;
  /** `jwt` (RFC 9068) or `opaque`. */
  readonly accessTokens?: "jwt" | "opaque";
  /** Seconds. */
  readonly lifetimes?: {
    readonly code?: number;
    readonly accessToken?: number;
    readonly session?: number;
  };
  /** Whether an unknown client id becomes a client on its first use. Default: only without `clients`. */
  readonly firstUse?: boolean;
}

/** Somebody who can sign in. */
export interface PersonConfiguration {
  readonly username: string;
  /** Left out: one click signs in. */
  readonly password?: string;
  /** What tokens call this person. Default: the username. */
  readonly sub?: string;
  /** OpenID Connect's claims: name, email, … */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const seconds: Schema = { type: "integer", minimum: 1, maximum: 315_360_000 };
const text: Schema = { type: "string", minLength: 1 };
const texts: Schema = { type: "array", items: text };

const client: Schema = {
  type: "object",
  description: "A client, in the words of RFC 7591.",
  required: ["client_id"],
  additionalProperties: false,
  properties: {
    client_id: text,
    client_secret: { ...text, description: "Left out for a public client." },
    client_name: { ...text, description: "What people read when they are asked." },
    redirect_uris: { ...texts, description: "https, http on loopback, or a scheme like com.example.app:" },
    token_endpoint_auth_method: {
      ...text,
      description: "none without a secret, client_secret_basic with one, unless it is said.",
      examples: ["none", "client_secret_basic", "client_secret_post"],
    },
    grant_types: texts,
    response_types: texts,
    scope: { ...text, description: "What it may ask for. Left out: every scope." },
    require_pkce: {
      type: "boolean",
      description: "false: an OpenID client may go without PKCE when it sends a nonce.",
    },
    oauth_version: {
      type: "string",
      enum: ["2.0", "2.1"],
      description: "2.1: the token request may leave redirect_uri out.",
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
    sub: { ...text, description: "What tokens call this person. Default: the username." },
    claims: { type: "object", description: "OpenID Connect's claims: name, email, …" },
  },
};

/** What checks a configuration, as JSON Schema: published so that editors check it, too. */
export const configurationSchema: Schema & { readonly $schema: string; readonly title: string } = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Postern configuration",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    issuer: {
      ...text,
      description: "Where this server is known under.",
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
      description: "Scope names with the words the consent page says. Left out: every scope is granted.",
    },
    defaultScope: { ...text, description: "What a request without scope asks for." },
    resources: { ...texts, description: "The APIs that tokens may be for. Left out: every one." },
    login: {
      type: "string",
      pattern: "^(picker|auto(:.+)?)$",
      examples: ["picker", "auto", "auto:bob"],
      description: "picker asks people; auto answers by itself.",
    },
    alg: {
      type: "string",
      enum: ["RS256", "PS256", "ES256", "EdDSA"],
      description: "What signs tokens. Default: RS256.",
    },
    accessTokens: { type: "string", enum: ["jwt", "opaque"] },
    lifetimes: {
      type: "object",
      additionalProperties: false,
      description: "Seconds.",
      properties: {
        code: { ...seconds, maximum: 600, description: "Default: 300." },
        accessToken: { ...seconds, description: "Default: 3600." },
        session: { ...seconds, description: "Default: 28800." },
      },
    },
    firstUse: {
      type: "boolean",
      description: "Whether an unknown client id becomes a client on its first use.",
    },
  },
};
