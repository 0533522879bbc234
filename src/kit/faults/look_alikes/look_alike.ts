/** Look-alikes: how well-known providers differ from this server. They are not judged: their clients must work. */

import type { CreateActs, LaxSettings } from "../misbehaviour.ts";
import type { MisbehaviourName } from "../names.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { Endpoint, GrantType } from "../../../server/oauth/contracts/feature.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Method } from "../../../ground/http/router.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";

export interface LookAlike {
  /** Returns what is at the hosts of the provider. `host` is that of `providers`, or the one that a test names. */
  addresses(host: string): ProviderAddresses;
  /** The checks that the provider does not make. They apply at its own hosts only. */
  readonly lax: readonly Laxness[];
  readonly differences: readonly Difference[];
  /** Grant types that this server does not have elsewhere. */
  readonly grantTypes?: readonly GrantType[];
  /** Parameters of an authorization request that the claims of its tokens need. The grant carries them. */
  readonly carries?: readonly string[];
  /** Keeps the secrets of configured clients in the process, because clients use them as keys. */
  readonly keepsSecrets?: true;
  /** Sentences about known differences that the look-alike does not have. */
  readonly leftOut: readonly string[];
}

/** The functions of the differences run in their order. */
export interface Difference {
  /** One sentence: what the provider does. "The scope in a token response is separated by commas." */
  readonly server: string;
  /** The page of the provider that says so. */
  readonly source: Source;
  /** The misbehaviour that is the same fault. Its functions and settings apply. */
  readonly same?: MisbehaviourName;
  readonly settings?: LaxSettings;
  readonly acts?: CreateActs;
}

export interface ProviderAddresses {
  /** The `iss` of tokens. A provider without ID tokens has its host here, which no client sees. */
  readonly issuer: string;
  /** What the addresses of its pages begin with. Default: the issuer. */
  readonly pages?: string;
  /** Other origins at which programs find the same addresses, each with the usual origin. Pages are at the usual one only. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Those of them from which a browser is led to the usual one. */
  readonly leads?: readonly string[];
  /** What the path of an endpoint may have besides: a version, the id of a client. */
  readonly optionalInPath?: RegExp;
  readonly endpoints: readonly ProviderEndpoint[];
  readonly frames?: readonly ProviderFrame[];
}

/** A page that the provider's library for pages opens in a frame. */
export interface ProviderFrame {
  readonly url: string;
  readonly page: Answer;
  /** The page of the provider that says what the frame is for. */
  readonly source: Source;
}

export interface ProviderEndpoint {
  /** Without what the path may have besides. */
  readonly url: string;
  /** The address as the provider writes it, if it has more: an id in its path. */
  readonly written?: string;
  /** The endpoint of this server that answers there. */
  readonly is: ProvidedEndpoint;
  /** The page of the provider that names the address. */
  readonly source: Source;
  /** The metadata do not have the address. */
  readonly isUnannounced?: true;
  /** What the provider reads here, and this server does not read elsewhere. */
  readonly accepts?: readonly Acceptance[];
  /** Answers in place of an endpoint of this server, to this method. The journal has the request under the name `is`. */
  readonly method?: Method;
  readonly answer?: Endpoint["handle"];
  /** Returns such an answer, of which a token response of this server is a part. */
  readonly answersBy?: (token: Endpoint["handle"]) => Endpoint["handle"];
  /** Changes how the endpoint of this server answers. */
  readonly wraps?: (usual: Endpoint["handle"]) => Endpoint["handle"];
  /** Returns the body of the answer to a valid access token, if `is` is userinfo and the provider has claims of its own. */
  readonly shows?: (
    person: ShownPerson,
    scope: readonly string[],
    request: IncomingRequest,
    people: readonly ShownPerson[],
  ) => unknown;
  /** Returns the body for the token of a client alone. `undefined`: the request names another than this client. */
  readonly showsClient?: (
    id: string,
    request: IncomingRequest,
    people: readonly ShownPerson[],
  ) => object | undefined;
  /** Says whether the request names this person, in its path if `written` has that. The token may be of another one, or a client alone. */
  readonly names?: (person: ShownPerson, request: IncomingRequest) => boolean;
  /** Without a token, it shows the person that the request names. */
  readonly isPublic?: true;
  /** Scopes that suffice to show the person of the token alone. */
  readonly ownScopes?: readonly string[];
  /** The metadata have the address, although it shows claims of the provider. */
  readonly isAnnounced?: true;
  /**
   * Returns the body of an answer about several people, or by the body of the request. `own` is the person of the token.
   * `undefined`: the request names no person.
   */
  readonly lists?: (
    people: readonly ShownPerson[],
    exchange: Exchange,
    own: ShownPerson | undefined,
  ) => Members | undefined | Promise<Members | undefined>;
  /** The scopes of which the access token must have one. Absent: none. */
  readonly scopes?: readonly string[];
}

/** A form of requests. Without a page of the provider that names it, a request has to be as the standards say. */
export interface Acceptance {
  /** What the provider reads: "A JSON object in place of the form." */
  readonly server: string;
  readonly source: Source;
  /** The parameters are a JSON object, in the query of a POST, in a form without a Content-Type, or in multipart/form-data. */
  readonly form?: "json" | "query" | "untyped" | "multipart";
  /** The endpoint also answers a GET, with the query in place of the form. */
  readonly method?: "GET";
  /** The access token may be the parameter access_token of the query. */
  readonly token?: "query";
  /** Returns the parameters that this server reads instead. */
  pairs?(sent: readonly Pair[], request: IncomingRequest): readonly Pair[];
}

export type ShownPerson = Pick<Person, "username" | "subject" | "claims">;

export type ProvidedEndpoint =
  | "authorize"
  | "token"
  | "userinfo"
  | "jwks"
  | "metadata"
  | "revoke"
  | "introspect"
  | "logout"
  | "par"
  | "register"
  | "device_authorization"
  | "device_verification";

/** A check of this server that the provider does not make. */
export interface Laxness {
  /** One sentence: what the provider accepts. "A login needs no PKCE." */
  readonly server: string;
  /** The page of the provider that says so. */
  readonly source: Source;
  readonly forgoesPkce?: "with_secret" | "each_client";
  /** The settings of the server that leave the check out. */
  readonly sets?: Partial<
    Pick<
      Settings,
      | "accessTokens"
      | "accessTokenType"
      | "assertions"
      | "defaultScope"
      | "deviceWithoutSecret"
      | "exchangesOnBehalf"
      | "grantsOfAll"
      | "ignoresBearer"
      | "ignoresProofs"
      | "keepsOpener"
      | "takesBase64Verifiers"
      | "introspectsAll"
      | "presumesRedirectUri"
      | "publicClientsIntrospect"
      | "readsBasicWithColon"
      | "readsIdAlone"
      | "readsSecretTwice"
      | "secretMethods"
      | "refreshesIdToken"
      | "remembersConsent"
      | "revokesGrants"
      | "revokesWithoutClient"
      | "signsOutToAnyPort"
      | "signsOutToRedirectUris"
      | "takesAudience"
      | "takesIssuer"
      | "ownTokenOf"
      | "widensRefresh"
    >
  >;
  readonly reads?: readonly Reading[];
}

/** Parameters of requests that this server would not read. */
export interface Reading {
  readonly at: ProvidedEndpoint;
  /** Returns the parameters that this server reads instead. */
  pairs(sent: readonly Pair[], request: IncomingRequest): readonly Pair[];
}

export interface Source {
  readonly title: string;
  readonly url: string;
}

/** Returns a function that names pages of a documentation at `base`, and by whole URLs other pages. */
export function pagesOf(base: string): (title: string, url: string) => Source {
  return (title, url) => ({ title, url: new URL(url, base).href });
}
