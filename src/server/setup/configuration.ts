/** The configuration: its type, whose comments `deno task docs` writes into the published schema, and the JSON schema. */

import { type SigningAlgorithm, signingAlgorithms } from "../../ground/crypto/platform.ts";
import type { FeatureLifetimes, FeatureOptions, FeaturePersonMembers } from "../features/options.ts";
import { clientAuthMethods } from "../oauth/clients/metadata/client_auth_methods.ts";
import { describeClient } from "../oauth/clients/metadata/client_metadata.ts";
import type { Slots } from "../oauth/contracts/feature.ts";
import { inLifetimes } from "../oauth/options/lifetime.ts";
import type { MetadataAddresses, PathsOption } from "../oauth/contracts/paths.ts";
import { claimsOfScope } from "../oauth/people/claims.ts";
import { demoResourceSchema } from "../oauth/options/read_demo_resource.ts";
import { type DpopConfiguration, dpopSchema } from "../oauth/contracts/dpop_settings.ts";
import type { Duration } from "../../ground/schema/duration.ts";
import { otherNames, type Schema, text, texts } from "../../ground/schema/schema.ts";
import {
  type ClaimsInConfiguration,
  claimsInSchema,
  type TokenClaimsConfiguration,
  tokenClaimsSchema,
} from "./claim_options.ts";
import type { ClientMetadata } from "./client_metadata.ts";
import { issAnnouncedSchema, issSentSchema, type IssuerFaultsConfiguration } from "./issuer_faults.ts";
import { remember } from "../../ground/values/remember.ts";
import { describeLifetimes } from "./lifetimes.ts";
import { pathsSchema } from "./read_paths.ts";
import { closedObject } from "../../ground/schema/schema_of.ts";

/** The options that a JSON file can contain. `createServer` and `--config FILE` accept the same options. */
export interface Configuration extends FeatureOptions, IssuerFaultsConfiguration {
  /** The URL that identifies this server to clients (RFC 8414 §2). Default: `http://localhost:9000`. */
  readonly issuer?: string;
  /**
   * Other names of the server, for programs that cannot use the issuer's, such as `http://postern:9000` between
   * containers. The issuer stays what tokens name. The metadata has the endpoints for programs below the name at which it
   * was read, and those with pages below the issuer. Default: none.
   */
  readonly also?: readonly string[];
  /**
   * `true`: the issuer and other names may be http at a private address or a local name, such as `http://postern:9000`
   * in a network of containers. Use it in a test network only, because others there can read codes and tokens. Default: `false`.
   */
  readonly allowPrivateHttp?: boolean;
  /**
   * The clients. Left out: the server has two demo clients, and registers any other client id at first use, if its
   * redirect URI is on this machine or has the private scheme of an app.
   */
  readonly clients?: readonly ClientMetadata[];
  /**
   * The authentication methods that clients may use. A client with another method is an error, and the metadata does
   * not list the others. Left out: every method.
   */
  readonly clientAuthMethods?: readonly string[];
  /** The people who can sign in. Left out: alice and bob, who sign in with one click. */
  readonly people?: readonly PersonConfiguration[];
  /**
   * The scopes. A key is the name of a scope, and its value is the sentence on the consent page. Left out: the server
   * accepts every scope name.
   */
  readonly scopes?: Readonly<Record<string, string>>;
  /**
   * The scope of a request without `scope`. If the client has `scope`, that is used instead. Default: all configured
   * scopes, or `read` if no scopes are configured.
   */
  readonly defaultScope?: string;
  /** The APIs that clients may request tokens for (RFC 8707). Left out: any. */
  readonly resources?: readonly string[];
  /**
   * The URL, or only the path, of a small protected API that the server serves at the issuer's origin. It says who
   * calls it. Left out: no such API, except at `/resource` of the command `start` if only this machine can reach the
   * server.
   */
  readonly demoResource?: string;
  /** The values of `acr` that clients may request. Every sign-in satisfies all of them. Default: none. */
  readonly acrValues?: readonly string[];
  /**
   * `picker` shows a sign-in page. `auto` shows no page: the server signs in the first person and approves the request.
   * `auto:bob` does the same with bob. With several issuers, an object has one of these for the name of each issuer,
   * and `*` for the others. Default: `picker`.
   */
  readonly login?: string | Readonly<Record<string, string>>;
  /**
   * The paths of the endpoints. `root` has short ones: `/authorize`, `/token`, `/register`, `/userinfo`, `/jwks`. `axa`
   * has the paths of oauth2-mock-server, `navikt` those of mock-oauth2-server, `keycloak` those of a Keycloak
   * realm, and `auth0` those of Auth0. An object names single paths. Left out: the usual paths, such as `/oauth2/token`.
   */
  readonly paths?: PathsOption;
  /** The algorithm that signs tokens. Default: `RS256`, or the first one of `acceptedAlgorithms`. */
  readonly alg?: SigningAlgorithm;
  /**
   * The only algorithms of JWTs that the server, its clients and the issuers of `trust` may sign with. A single client
   * has `accepted_signing_algs`. Default: all of these.
   */
  readonly acceptedAlgorithms?: readonly SigningAlgorithm[];
  /** The format of access tokens. Default: `jwt`. */
  readonly accessTokens?: "jwt" | "opaque";
  /**
   * The `typ` of JWT access tokens. Default: `at+jwt` (RFC 9068), or `JWT` with the paths `axa`, `navikt`,
   * `keycloak` and `auth0`. `JWT` is for APIs that refuse `at+jwt`. Such an API must check the audience: an ID token has the `typ`
   * `JWT` as well, and would be accepted.
   */
  readonly accessTokenType?: "at+jwt" | "JWT";
  /**
   * Names of people's own claims that the server adds for any scope, for example roles and groups. A person without
   * such a claim gets none. Fixed claims for some requests are in `tokenClaims`.
   */
  readonly claimsIn?: ClaimsInConfiguration;
  /**
   * Fixed claims for the tokens of some requests, for example of one client. Only the first matching entry is used:
   * entries are not added together. A person's own claims are in `people` and `claimsIn`.
   */
  readonly tokenClaims?: readonly TokenClaimsConfiguration[];
  /**
   * How clients bind tokens to a key by DPoP (RFC 9449). `false`: the server has no DPoP. Left out: clients may use it,
   * without nonces.
   */
  readonly dpop?: false | DpopConfiguration;
  /** Lifetimes: seconds as a number, or text such as `"10m"`, `"1d 3h"` and `"30d"`. */
  readonly lifetimes?: FeatureLifetimes & {
    /** How long the client can redeem an authorization code. Default: `5m`. */
    readonly code?: Duration;
    /** How long an access token is valid. Default: `1h`. */
    readonly accessToken?: Duration;
    /** How long an ID token is valid. Default: `1h`. */
    readonly idToken?: Duration;
    /** How long a person stays signed in. Default: `8h`. */
    readonly session?: Duration;
    /** How long an unused refresh token stays valid. Default: `30d`. */
    readonly refreshIdle?: Duration;
    /** How long a client can refresh, counted from the first refresh token. Default: `90d`. */
    readonly refreshAbsolute?: Duration;
    /**
     * For this time after a refresh, the old refresh token may be used again, and gives the same new one. Default:
     * `0s`.
     */
    readonly refreshGrace?: Duration;
    /** How long a key signs before a new key replaces it. Left out: until `rotateKeys` is called. */
    readonly signingKey?: Duration;
  };
  /**
   * Keeps the demo clients, the demo people and first use although other machines can reach the server, which is
   * unsafe. Default: `false`, and such a server needs `clients` and `people`.
   */
  readonly exposeDemo?: boolean;
  /**
   * The content of the front page. `full` includes clients and people. `issuer` shows the issuer only. Default:
   * `issuer` if other machines can reach the server, otherwise `full`.
   */
  readonly frontPage?: "full" | "issuer";
  /** The addresses of the server's metadata, for tests of clients that look for it in several places. */
  readonly metadata?: MetadataAddresses;
}

/** A person who can sign in. */
export interface PersonConfiguration extends FeaturePersonMembers {
  /** The name that the person signs in with. */
  readonly username: string;
  /** The password in plain text, or a hash that `hashPassword` created. Left out: the person signs in with one click. */
  readonly password?: string;
  /** The person's `sub` in tokens. Default: the username. */
  readonly sub?: string;
  /** The claims about the person: `name`, `email`, roles, and any others. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `true`: the person cannot sign in, and their sign-ins and tokens have no effect. Default: `false`. */
  readonly disabled?: boolean;
}

const loginForm: Schema = {
  type: "string",
  pattern: "^(picker|auto(:.+)?)$",
  examples: ["picker", "auto", "auto:bob"],
};

const metadataForm: Schema = {
  anyOf: [{ type: "boolean", const: false }, { type: "string", enum: ["both", "inserted", "appended"] }],
  examples: [false, "appended"],
};

const metadata: Schema = closedObject({
  oauthAuthorizationServer: metadataForm,
  openidConfiguration: metadataForm,
}, { example: { oauthAuthorizationServer: false } });

// RFC 9068 §2.2.3.1.
const accessClaims = ["groups", "roles", "entitlements"];

function describePerson({ personMembers }: Pick<Slots, "personMembers">): Schema {
  // Editors complete these names. People can have any other claim, too.
  const usualClaims = [...Object.values(claimsOfScope).flat(), ...accessClaims];
  return closedObject({
    username: { ...text, [otherNames]: ["id", "login", "user", "user_id"] },
    password: { ...text, [otherNames]: ["pass", "secret"] },
    sub: { ...text, [otherNames]: ["subject"] },
    claims: {
      [otherNames]: ["attributes"],
      type: "object",
      properties: Object.fromEntries(usualClaims.map((name) => [name, {}])),
    },
    ...Object.fromEntries([...personMembers.values()].map(({ name, schema }) => [name, schema])),
    disabled: { [otherNames]: ["locked", "blocked", "inactive"], type: "boolean" },
  }, { required: ["username"] });
}

/** The JSON schema (2020-12) of a configuration. */
export interface ConfigurationSchema extends Schema {
  readonly $schema: string;
}

type SchemaSlots = Pick<
  Slots,
  "clientMembers" | "personMembers" | "neededOptions" | "clientAuth" | "acceptsPublicClients" | "settings"
>;

/** Servers that share their slots share the schema, too. */
const schemas = new WeakMap<SchemaSlots, ConfigurationSchema>();

/** Returns the schema without the descriptions of options. */
export function describeConfiguration(slots: SchemaSlots): ConfigurationSchema {
  return remember(schemas, slots, () => createSchema(slots));
}

function createSchema(slots: SchemaSlots): ConfigurationSchema {
  const settings = [...slots.settings.values()];
  const own = describeOwn(slots);
  const clash = settings.find(({ name }) => Object.hasOwn(own, name));
  if (clash !== undefined) {
    throw new TypeError(`Cannot create server: every server reads the option ${clash.name} already`);
  }
  const ofFeatures = settings.filter(({ name }) => !name.startsWith(inLifetimes));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Postern configuration",
    type: "object",
    additionalProperties: false,
    properties: { ...own, ...Object.fromEntries(ofFeatures.map(({ name, schema }) => [name, schema])) },
  };
}

function describeOwn(slots: SchemaSlots): Readonly<Record<string, Schema>> {
  return {
    $schema: { type: "string", description: "The address of this schema. Editors check the file with it." },
    issuer: {
      ...text,
      [otherNames]: ["iss", "issuer_url", "base_url", "url"],
      examples: ["http://localhost:9000"],
    },
    also: {
      ...texts,
      [otherNames]: ["alsoKnownAs", "aliases", "hostnames"],
      examples: [["http://postern:9000"]],
    },
    allowPrivateHttp: { type: "boolean" },
    clients: { [otherNames]: ["applications", "apps"], type: "array", items: describeClient(slots) },
    clientAuthMethods: {
      [otherNames]: ["token_endpoint_auth_methods"],
      type: "array",
      minItems: 1,
      items: { type: "string", enum: clientAuthMethods(slots) },
      examples: [["none", "private_key_jwt"]],
    },
    people: {
      [otherNames]: ["users", "accounts", "persons", "findAccount"],
      type: "array",
      items: describePerson(slots),
    },
    scopes: {
      examples: [{ orders: "See your orders" }],
      type: "object",
      additionalProperties: { type: "string" },
    },
    defaultScope: text,
    resources: { ...texts, [otherNames]: ["apis", "audience", "audiences"] },
    demoResource: demoResourceSchema,
    acrValues: { ...texts, examples: [["urn:example:silver", "urn:example:gold"]] },
    login: {
      anyOf: [loginForm, { type: "object", additionalProperties: loginForm }],
      examples: ["picker", "auto", "auto:bob", {
        default: "auto:bob",
        azuread: "auto:alice",
        "*": "picker",
      }],
    },
    paths: pathsSchema,
    alg: { [otherNames]: ["algorithm", "signing_alg"], type: "string", enum: signingAlgorithms },
    acceptedAlgorithms: {
      [otherNames]: ["algorithms"],
      type: "array",
      minItems: 1,
      items: { type: "string", enum: signingAlgorithms },
      examples: [["PS256", "ES256", "EdDSA"]],
    },
    accessTokens: { type: "string", enum: ["jwt", "opaque"] },
    accessTokenType: { type: "string", enum: ["at+jwt", "JWT"] },
    claimsIn: claimsInSchema,
    tokenClaims: tokenClaimsSchema,
    dpop: dpopSchema,
    lifetimes: describeLifetimes(slots.settings.values()),
    exposeDemo: { type: "boolean" },
    frontPage: { type: "string", enum: ["full", "issuer"] },
    metadata,
    issAnnounced: issAnnouncedSchema,
    issSent: issSentSchema,
  };
}
