/** The configuration: its TypeScript type, and the JSON schema that checks it and is published for editors. */

import { type SigningAlgorithm, signingAlgorithms } from "../crypto/jwk.ts";
import { describeClient } from "../oauth/clients/client_schema.ts";
import type { Slots } from "../oauth/feature.ts";
import type { Schema } from "../schema/schema.ts";
import { text, texts } from "../schema/text.ts";
import type { ClientMetadata } from "./client_metadata.ts";

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

const lifetimes: Schema = {
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
      description: "How long a key signs before a new one takes over. Left out: until rotateKeys is called.",
    },
    refreshGrace: {
      ...seconds,
      minimum: 0,
      description: "How long a used refresh token still gives the same successor again. Default: 0.",
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

/** The published schema of the configuration file, in JSON Schema 2020-12. */
export interface ConfigurationSchema extends Schema {
  readonly $schema: string;
}

/** Checks the configuration of a server with these features. */
export function describeConfiguration(slots: Pick<Slots, "clientMembers">): ConfigurationSchema {
  return {
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
        items: describeClient(slots),
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
        description:
          "picker asks people; auto signs in the first person and consents; auto:bob signs in bob.",
      },
      alg: {
        type: "string",
        enum: signingAlgorithms,
        description: "The algorithm that signs tokens. Default: RS256.",
      },
      accessTokens: { type: "string", enum: ["jwt", "opaque"] },
      accessTokenType: {
        type: "string",
        enum: ["at+jwt", "JWT"],
        description: "The typ of JWT access tokens. Default: at+jwt (RFC 9068). JWT: for APIs that accept " +
          "no other. ID tokens have the typ JWT as well, so such an API must check the audience.",
      },
      lifetimes,
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
}
