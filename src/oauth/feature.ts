/**
 * A feature: one capability of the server, in one file that fills a few of these slots. Types only: this file and
 * services.ts refer to each other, because slots are functions of the services and the services hold the slots.
 */

import type { Answer } from "../http/message.ts";
import type { Method } from "../http/router.ts";
import type { Schema } from "../schema/schema.ts";
import type { AccessRequest } from "./authorization/access_request.ts";
import type { AuthorizationRequest } from "./authorization/authorization_request.ts";
import type { Interaction, RequestEnd } from "./authorization/interaction.ts";
import type { PendingRequest, ResolvedRequest } from "./authorization/pending_request.ts";
import type { RedirectTarget } from "./authorization/redirect_target.ts";
import type { AuthenticatedClient } from "./clients/authenticated_client.ts";
import type { Client, ClientUse } from "./clients/client.ts";
import type { OAuthError, RefusalDetails } from "./error.ts";
import type { Exchange } from "./exchange.ts";
import type { Advice } from "./journal.ts";
import type { Pair, Params } from "./params.ts";
import type { Account, Arrival, SignedIn } from "./people/session.ts";
import type { Services } from "./services.ts";
import type { Approval, Grant } from "./tokens/grant.ts";
import type { ReadToken } from "./tokens/read_token.ts";
import type { Proposal, Redemption, TokenMembers } from "./tokens/redemption.ts";
import type { Sender } from "./tokens/sender.ts";

/**
 * Slots stand in the order a request meets them. Two features with one answer are an error at start. `EndpointName`
 * lists the names of its endpoints: `Feature<"token">`.
 */
export interface Feature<EndpointName extends string = never> {
  /** The name of the feature and of its file. */
  readonly name: string;
  /** The specification that the feature implements: "RFC 9126". */
  readonly spec: string;
  readonly endpoints?: readonly Endpoint<EndpointName>[];
  /** Other places than the configuration where clients come from. */
  readonly clientSources?: readonly ClientSource[];
  /** The client metadata that the feature reads. Two features may share one member. */
  readonly clientMembers?: readonly ClientMember[];
  readonly clientAuth?: readonly ClientAuthMethod[];
  /** How a request proves that its sender holds a key: DPoP, mTLS. Without any, every token is a bearer token. */
  readonly senderProofs?: readonly SenderProof[];
  /** Requests that a person answers: authorization requests, device logins. */
  readonly requestKinds?: readonly RequestKind[];
  /** Where an authorization request comes from, if not from the query or the form: a pushed request, a signed object. */
  readonly requestSources?: readonly RequestSource[];
  /** Parameters of an authorization request that the core does not read: prompt, claims, a hint. */
  readonly requestParams?: readonly RequestParam[];
  /** Asks a person who is signed in a question that the core would not ask: for prompt or max_age. */
  readonly asksUser?: (about: Asked & { readonly now: number }) => Question | undefined;
  /** Answers in the place of the person, so that no page is shown: for tests. */
  readonly decides?: (interaction: Interaction, services: Services) => Promise<Decision | undefined>;
  readonly responseTypes?: readonly ResponseType[];
  readonly responseModes?: readonly ResponseMode[];
  readonly grantTypes?: readonly GrantType[];
  /** More members of a token response: a refresh token, an ID token. */
  readonly tokenMembers?: (
    made: {
      readonly redemption: Redemption;
      readonly accessToken: string;
      readonly client: Client;
      readonly sender: Sender;
      readonly exchange: Exchange;
    },
    services: Services,
  ) => TokenMembers | undefined | Promise<TokenMembers | undefined>;
  /** Reads tokens: refresh tokens. The core reads access tokens. */
  readonly tokenReaders?: readonly TokenReader[];
  /** Is called with the sign-ins that have ended. */
  readonly tellsSignOut?: (
    accounts: readonly Account[],
    exchange: Exchange,
    services: Services,
  ) => Promise<void>;
  /** Scopes that the feature gives a meaning. */
  readonly scopes?: readonly string[];
  /** Metadata that the slots above do not imply. A function if it depends on the server. */
  readonly metadata?: Readonly<Record<string, MetadataValue>>;
}

/** A feature whose endpoints may have any names, for lists of features. */
export type AnyFeature = Feature<string>;

export type MetadataValue = string | boolean | readonly string[] | ((services: Services) => unknown);

export interface Endpoint<Name extends string = string> {
  readonly method: Method;
  /** The path below the issuer's path. The last segment may be a variable: `/connect/register/{client_id}`. */
  readonly path: string;
  /** The name of the endpoint for the test kit: "token". An endpoint without a name counts as "page". */
  readonly name?: Name;
  /** The member of the metadata that announces the endpoint: "token_endpoint". */
  readonly metadataName?: string;
  /** The path is inserted before the path of the issuer (RFC 8414 §3.1). */
  readonly wellKnown?: true;
  /** The format of a refusal: JSON for programs or a page for people. */
  readonly refusal: "json" | "page";
  /** Scripts of other origins may call the endpoint. Not for endpoints of the pages (RFC 9700 §2.6). */
  readonly cors?: true;
  /** Answers a request. `variable` is the decoded value of the path's variable, or empty if the path has none. */
  handle(exchange: Exchange, services: Services, variable: string): Answer | Promise<Answer>;
}

export interface ClientSource {
  /** The `source` of its clients. */
  readonly name: string;
  /** The clients that it has, for the message that refuses an unknown client. */
  readonly expects: string;
  /** Whether an id with this form is always one of its own. No other source but the configuration is asked for it. */
  owns?(id: string): boolean;
  find(id: string, services: Services): Promise<Client | undefined>;
  /** For the front page. */
  list?(services: Services): AsyncIterable<Client>;
  /** Finds the client that an unknown id becomes if a person approves the request. Writes nothing. */
  findCandidate?(id: string, redirectUri: string | undefined, services: Services): Client | undefined;
  /** A person has approved the client: stores it, and resolves to the stored client. Refuses if the id is taken now. */
  keep?(client: Client, services: Services): Promise<Client>;
  /** A redemption has passed every check. `false`: the client has changed since, and must authenticate again. */
  recordUse?(client: Client, use: ClientUse, services: Services): Promise<boolean>;
}

/** A member of client metadata. Its value stays as it was written, and `memberOf` reads it. */
export interface ClientMember<T = unknown> {
  /** As its specification names it: "default_max_age". */
  readonly name: string;
  readonly schema: Schema;
  /** A rule that the schema cannot express. Other members may not have been checked yet, except by their schemas. */
  check?(value: T, client: Client, slots: Slots): MetadataProblem | undefined;
  /** The server signs with this algorithm for the client, so it needs a key for it. */
  readonly isSigningAlgorithm?: true;
}

export interface MetadataProblem {
  /** Where the metadata is wrong: `redirect_uris[1]`. */
  readonly place: string;
  readonly expected: string;
}

/** The credentials of a request, before any check. */
export interface Credentials {
  readonly clientId: string;
  /** Compared with the hash that the server holds. */
  readonly secret?: string;
  readonly deviation?: Deviation;
  /** Checks another kind of proof, and resolves to what is wrong with it. */
  prove?(client: Client, services: Services): Promise<OAuthError | undefined>;
}

/** A reading of credentials that its specification does not allow, but that many clients mean. */
export interface Deviation {
  /** Noted when the reading turns out to be right. */
  readonly advice: Advice;
  /** The refusal of a client that has registered that it never deviates. */
  findRefusal(client: Client): RefusalDetails | undefined;
}

export interface ClientAuthMethod {
  /** As registered and announced: "client_secret_basic". */
  readonly name: string;
  /** The scheme of the Authorization header, if the method reads that: a failure is answered with its challenge. */
  readonly scheme?: string;
  /** It reads `client_assertion` (RFC 7521 §4.2). */
  readonly readsAssertion?: true;
  /** The member of client metadata that a client must have for it. Default: `client_secret`. */
  readonly needs?: string;
  /** Each way to read the credentials, the usual one first. Empty: they are of another method, or there are none. */
  read(exchange: Exchange, form: Params): readonly Credentials[];
}

/** A proof that the sender of a request holds a key. Tokens are bound to the key that their request proved. */
export interface SenderProof {
  /** The member of the claim `cnf` that holds the key's thumbprint: "jkt" (RFC 7800 §3.1). */
  readonly name: string;
  /** What tokens bound by it are called: "DPoP". Also the scheme that presents them. */
  readonly tokenType: string;
  /** Parameters of the challenge of that scheme: `algs`. */
  readonly challengeParams?: (services: Services) => Readonly<Record<string, string>>;
  /** `undefined`: the request holds no such proof. */
  prove(
    exchange: Exchange,
    terms: ProofTerms,
    services: Services,
  ): ProofResult | undefined | Promise<ProofResult | undefined>;
}

/** What the proof has to be made for. */
export interface ProofTerms {
  /** The address that was called, as the server announces it and without a query. */
  readonly url: string;
  /** The client that authenticated, at an endpoint that clients call. */
  readonly client?: Client;
  /** The access token that came along, at a resource. */
  readonly accessToken?: string;
}

/** The thumbprint of the key that was proved, or what is wrong with the proof. */
export type ProofResult = { readonly thumbprint: string } | { readonly refusal: OAuthError };

/** A kind of request that a person answers on pages. */
export interface RequestKind {
  /** "authorization" */
  readonly name: string;
  /** Its pages have addresses at this path: its endpoint there passes `continue` to `continueRequest`. */
  readonly path: string;
  /** The first checks, each time the request comes. A page shows their refusals, because no end is verified yet. */
  findEnd(pending: PendingRequest, exchange: Exchange, services: Services): Promise<RequestEnd>;
}

/** Replaces the parameters of an authorization request by those that one of them stands for. */
export interface RequestSource {
  /** For the journal and for people: "pushed request". */
  readonly name: string;
  /** The parameter that it reads: `request_uri`. */
  readonly param: string;
  /**
   * The request that `value` stands for, or `undefined` if it is not of this source. `outer` holds the parameters
   * beside it: they have no effect. The client_id among them is compared with the one of the result.
   */
  resolve(
    value: string,
    outer: Params,
    exchange: Exchange,
    services: Services,
  ): Promise<ResolvedRequest | undefined>;
  /** Whether this client may send its requests in no other way. */
  isRequired?(client: Client, services: Services): boolean;
}

export interface RequestParam {
  readonly name: string;
  read(
    text: string,
    services: Services,
  ): Partial<AuthorizationRequest> | Promise<Partial<AuthorizationRequest>>;
}

/** A decision in the place of a person: to deny, to approve with this session, or to sign in and approve. */
export type Decision =
  | { readonly denied: true }
  | { readonly account: SignedIn }
  | { readonly arrival: Arrival };

/** A request, and the session that answers it. */
export interface Asked {
  readonly request: AccessRequest;
  readonly pending: PendingRequest;
  readonly account: SignedIn;
}

/** In the order in which the pages ask them. */
export type Question = "sign_in" | "choose" | "consent";

export interface ResponseType {
  readonly name: string;
  /** What an approval gives: the grant as it is stored, and the parameters for the client. */
  issue(approval: Approval, request: AuthorizationRequest, services: Services): {
    readonly grant: Grant;
    readonly expiresAt: number;
    readonly params: readonly (readonly [name: string, value: string])[];
  };
}

export interface ResponseMode {
  readonly name: string;
  respond(target: RedirectTarget, params: readonly Pair[], services: Services): Answer | Promise<Answer>;
}

export interface GrantType {
  readonly name: string;
  /** Checks everything and proposes a change. Writes nothing. */
  redeem(
    request: {
      readonly exchange: Exchange;
      readonly form: Params;
      readonly client: AuthenticatedClient;
      readonly sender: Sender;
    },
    services: Services,
  ): Promise<Proposal>;
}

/** Reads the text of a token. */
export interface TokenReader {
  readonly kind: ReadToken["kind"];
  /** `undefined`: the text is not such a token. */
  read(text: string, services: Services): Promise<ReadToken | undefined>;
}

/** Every feature's slots, gathered once at start. */
export interface Slots {
  readonly endpoints: readonly Endpoint[];
  readonly clientSources: ReadonlyMap<string, ClientSource>;
  readonly clientMembers: ReadonlyMap<string, ClientMember>;
  readonly clientAuth: ReadonlyMap<string, ClientAuthMethod>;
  readonly senderProofs: ReadonlyMap<string, SenderProof>;
  /** Bearer, and what the proofs call their tokens. */
  readonly tokenTypes: readonly string[];
  readonly requestKinds: ReadonlyMap<string, RequestKind>;
  readonly requestSources: readonly RequestSource[];
  readonly requestParams: ReadonlyMap<string, RequestParam>;
  readonly asksUser: readonly NonNullable<Feature["asksUser"]>[];
  readonly decides: NonNullable<Feature["decides"]> | undefined;
  readonly responseTypes: ReadonlyMap<string, ResponseType>;
  readonly responseModes: ReadonlyMap<string, ResponseMode>;
  readonly grantTypes: ReadonlyMap<string, GrantType>;
  readonly tokenMembers: readonly NonNullable<Feature["tokenMembers"]>[];
  readonly tokenReaders: readonly TokenReader[];
  readonly tellsSignOut: readonly NonNullable<Feature["tellsSignOut"]>[];
  readonly scopes: readonly string[];
  readonly metadata: Readonly<Record<string, MetadataValue>>;
}
