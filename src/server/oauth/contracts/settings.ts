/** The settings of a server: checked at start, with every default filled in. */

import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import type { Client } from "./client.ts";
import type { MetadataAddresses, Paths } from "./paths.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import type { DpopSettings } from "./dpop_settings.ts";
import type { People } from "./people.ts";

export interface Lifetimes {
  /** In seconds, like all lifetimes. */
  readonly code: number;
  readonly accessToken: number;
  readonly idToken: number;
  readonly session: number;
  readonly refreshIdle: number;
  readonly refreshAbsolute: number;
  readonly refreshGrace: number;
  /** The time after which a new key replaces a signing key. If absent, only `rotateKeys()` replaces keys. */
  readonly signingKey?: number;
}

export interface ClaimsIn {
  readonly accessToken: readonly string[];
  readonly idToken: readonly string[];
  readonly userinfo: readonly string[];
}

export interface TokenClaims {
  /** Parameters of the token request, each with the pattern of its value. */
  readonly when: readonly (readonly [param: string, pattern: RegExp])[];
  readonly claims: Claims;
  /** The audience of an access token without requested resources. */
  readonly audience?: readonly string[];
  /** The subject of a token that a client gets for itself. */
  readonly subject?: string;
}

export interface AssertionSettings {
  /** The pattern of `iss`, and the words for it in a refusal. Absent: the client itself. */
  readonly issuer?: { readonly pattern: RegExp; readonly words: string };
  /** The audience may also be the URL of the endpoint, for each client. */
  readonly takesEndpoint?: true;
  /** In seconds from now. Absent: that of the server. */
  readonly longestLifetime?: number;
  /** `optional`: without a `jti`, the client may use the assertion again. `ignored`: with one, too. Absent: it is required. */
  readonly jti?: "optional" | "ignored";
}

export interface OtherPortSettings {
  readonly port: number;
  /** The URL that replaces `baseUrl` there. */
  readonly baseUrl: string;
  /** The same with the other names of the server, too, by host. */
  readonly urls: ReadonlyMap<string, string>;
}

export interface Settings {
  readonly issuer: string;
  /** Whether the program that runs the server lets other machines reach it. The issuer may say so, too. */
  readonly isReached?: boolean;
  /** The host and port of the issuer, as in a Host header. */
  readonly issuerHost: string;
  /** The issuer without a final slash. The URL of every endpoint begins with it, unless the endpoint has its own. */
  readonly baseUrl: string;
  /** The URLs that replace `baseUrl` for programs that reach the server by another name. */
  readonly also: readonly string[];
  readonly otherPort?: OtherPortSettings;
  /** The path of the issuer without a final slash. The path of every endpoint begins with it. */
  readonly basePath: string;
  /** The configured addresses of the metadata. Absent: the usual ones. */
  readonly metadataAddresses?: MetadataAddresses;
  readonly paths: Paths;
  /** The configured clients, by id. */
  readonly clients: ReadonlyMap<string, Client>;
  /** The issuer has a reserved name such as `as.test`, so redirect URIs with reserved names are accepted as well. */
  readonly reservedForTests: boolean;
  /** Some clients or people have published credentials, so other machines must not reach the server. */
  readonly demo: boolean;
  readonly people: People;
  readonly addsPeople: boolean;
  /** The configured scopes with their descriptions. If there are none, every well-formed scope is granted. */
  readonly scopes: ReadonlyMap<string, string | undefined>;
  /** The scope of a request without `scope`, unless the client has registered another default. */
  readonly defaultScope: readonly string[];
  /** The configured resources. If there are none, every well-formed resource is granted. */
  readonly resources: ReadonlySet<string>;
  /** The URL of the protected API beside the server. Absent: the server has none. */
  readonly demoResource: string | undefined;
  /**
   * The values of `acr` that every sign-in satisfies. A request for the claim `acr` without a value gets the first one.
   * A request that mentions no `acr` gets tokens without it.
   */
  readonly acrValues: readonly string[];
  /** The username of the person whom automatic sign-in signs in. */
  readonly automaticPerson: string | undefined;
  /** `full` shows clients and people on the front page, `issuer` only the issuer. */
  readonly frontPage: "full" | "issuer";
  /** The algorithm for access tokens, and for other tokens if the client has registered no algorithm. */
  readonly alg: SigningAlgorithm;
  readonly algorithms: readonly SigningAlgorithm[];
  /** The algorithms of JWTs that the server and its clients may sign with. */
  readonly acceptedAlgorithms: readonly SigningAlgorithm[];
  readonly idTokenAlgorithms: readonly SigningAlgorithm[];
  readonly accessTokens: "jwt" | "opaque";
  readonly accessTokenType: "at+jwt" | "JWT";
  /** The claims that tokens and userinfo have besides those that the request asks for. */
  readonly claimsIn: ClaimsIn;
  readonly tokenClaims: readonly TokenClaims[];
  readonly dpop: DpopSettings;
  /** Whether a client may omit PKCE, as at the provider that a test looks like. Absent: OAuth 2.1 decides. */
  readonly forgoesPkce?: (clientId: string, client: { readonly isPublic: boolean }) => boolean;
  /** Whether a `code_verifier` may be base64, with `+`, `/` and `=`, as at the provider that a test looks like. */
  readonly takesBase64Verifiers?: true;
  /** Whether a proof of a client that needs none changes nothing, as at the provider that a test looks like. */
  readonly ignoresProofs?: true;
  /** Whether consent to each client is remembered, as at the provider that a test looks like. */
  readonly remembersConsent?: true;
  /** Whether Basic credentials may be the id of a public client alone, as at the provider that a test looks like. */
  readonly readsIdAlone?: true;
  /** Whether a colon may follow the scheme of Basic credentials, as at the provider that a test looks like. */
  readonly readsBasicWithColon?: true;
  /** A request with this parameter may have an access token as Bearer, too, as at the provider that a test looks like. */
  readonly ignoresBearer?: "grant_type" | "client_id";
  /** Whether an access token with this audience is for what asks for `needed`, too, as at the provider of a test. */
  readonly takesAudience?: (audience: readonly string[], needed: string) => boolean;
  /** Whether a token of the server may have this `iss`, as at the provider that a test looks like. */
  readonly takesIssuer?: (iss: unknown) => boolean;
  /** Returns the token of the server, which the provider that a test looks like writes in a form of its own. */
  readonly ownTokenOf?: (text: string) => string;
  /** Whether a request may have the same id and secret by Basic and in the form, as at the provider that a test looks like. */
  readonly readsSecretTwice?: true;
  /** The methods by which each client with a secret may send it, as at the provider that a test looks like. */
  readonly secretMethods?: readonly ("client_secret_basic" | "client_secret_post")[];
  /**
   * Whether a client with a secret may begin a device login without it, or do the whole login so, as at the provider that a
   * test looks like.
   */
  readonly deviceWithoutSecret?: "begin" | "whole";
  /**
   * Whether a request may omit the only redirect URI of its client, and a token request that of the authorization request,
   * as at the provider that a test looks like. Absent: a client with oauth_version 2.1 may.
   */
  readonly presumesRedirectUri?: true;
  /** Whether a public client may introspect, as at the provider that a test looks like. */
  readonly publicClientsIntrospect?: true;
  /** Whether a client with a secret may introspect each access token, as at the provider that a test looks like. */
  readonly introspectsAll?: true;
  /** Whether a sign-out may continue at another port of loopback, as at the provider that a test looks like. */
  readonly signsOutToAnyPort?: true;
  /** Whether a sign-out may continue at a redirect URI of any client, as at the provider that a test looks like. */
  readonly signsOutToRedirectUris?: true;
  /**
   * Whether a token may be revoked without a client, as at the provider that a test looks like. An access token in the
   * header then changes nothing.
   */
  readonly revokesWithoutClient?: true;
  /** Whether the revocation of an access token ends its whole grant, as at the provider that a test looks like. */
  readonly revokesGrants?: true;
  /**
   * Whether a refresh with a scope without openid gives an ID token if the login has openid, as at the provider that a test
   * looks like.
   */
  readonly refreshesIdToken?: true;
  /** Whether the JWKS leaves out keys for algorithms that nothing here uses, as at the provider that a test looks like. */
  readonly publishesUsedKeys?: true;
  /**
   * The grant types that a client of first use may use besides that of its first login, as at the provider that a test looks
   * like. Absent: the first login decides which one the client has.
   */
  readonly learnsGrants?: readonly string[];
  /** Whether a client exchanges the tokens that it got as an API, as at the provider that a test looks like. */
  readonly exchangesOnBehalf?: true;
  /** The grant types that each client may use, as at the provider that a test looks like. */
  readonly grantsOfAll?: readonly string[];
  /** Whether a refresh may have each scope of the client, as at the provider that a test looks like. */
  readonly widensRefresh?: true;
  /** Whether a page that opens a login in a window may keep hold of it, as at the provider that a test looks like. */
  readonly keepsOpener?: true;
  /** What a client assertion may be, as at the provider that a test looks like. Absent: RFC 7523 decides. */
  readonly assertions?: AssertionSettings;
  /** What a path may have besides, as at the provider that a test looks like: a version, the id of a client. */
  readonly optionalInPath?: RegExp;
  /** Other origins from which a page of a provider leads a browser to the usual one. */
  readonly leads?: readonly string[];
  /**
   * The issuer that grants and other records name. Absent: they name none. A server that also looks like a provider, at
   * the hosts of the provider, keeps the records of both in one store.
   */
  readonly issuerInRecords?: string;
  readonly lifetimes: Lifetimes;
  /** The settings of features, by the names of their options. Read a value with `settingOf`. */
  readonly ofFeatures: Members;
}
