/** The slots that a feature may fill, and the services that their functions use. Types only. */

import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import type { Method } from "../../../ground/http/router.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import type {
  AccessRequest,
  AuthorizationRequest,
  Destination,
  FeatureStep,
  Interaction,
  Issued,
  PendingRequest,
  RedirectTarget,
  ResolvedRequest,
} from "./authorization_request.ts";
import type { Setting, ValueKey } from "./feature_values.ts";
import type { AuthenticatedClient } from "./authenticated_client.ts";
import type { Client, ClientUse } from "./client.ts";
import type { OAuthError } from "./refusals.ts";
import type { Exchange } from "./exchange.ts";
import type { Advice } from "./journal.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { OptionalLine, Pages } from "./pages.ts";
import type { Params } from "./params.ts";
import type { Newcomers, Person, PersonSecrets } from "./people.ts";
import type { Account, SignedIn } from "./session.ts";
import type { ToldClient } from "./told_client.ts";
import type { Settings } from "./settings.ts";
import type { ExchangeableToken, PresentedForExchange } from "./exchangeable_token.ts";
import type { Approval, Grant } from "./grant.ts";
import type { ReadToken } from "./read_token.ts";
import type { Proposal, Redemption, TokenMembers } from "./redemption.ts";
import type { NonceMode } from "./dpop_settings.ts";
import type { Sender } from "./sender.ts";
import type { RandomBytes } from "../../../ground/crypto/bytes.ts";
import type { KeyRing } from "../../../ground/crypto/key_ring.ts";
import type { CookieJar } from "../../../ground/http/cookies.ts";
import type { GuardedFetch } from "../../../ground/http/guarded_fetch.ts";
import type { Store } from "../../store/store.ts";
import type { SignInLimits } from "../people/sign_in_limits.ts";
import type { Seams } from "./seams.ts";

/**
 * One capability of the server. After the endpoints and the options come the slots in the order in which a login meets
 * them: its client, its request, its answer, its tokens and its end. Scopes and metadata come last. The server does not
 * start if two features offer the same thing. `EndpointName` lists the names of the feature's endpoints: `Feature<"token">`.
 */
export interface Feature<EndpointName extends string = never> {
  /** The name of the feature, and of its file or folder. */
  readonly name: string;
  /** The specification that the feature implements: "RFC 9126". */
  readonly spec: string;
  readonly endpoints?: readonly Endpoint<EndpointName>[];
  /** The options of the configuration that the feature reads. */
  readonly settings?: readonly Setting[];
  /** The configuration leaves the feature out. The server still knows its options, and how to refuse what needs them. */
  readonly isOff?: boolean;
  /** Sources of clients besides the configuration. */
  readonly clientSources?: readonly ClientSource[];
  /** The client metadata that the feature reads. Two features may share one member. */
  readonly clientMembers?: readonly ClientMember[];
  /** What the configuration of a person may have for the feature. */
  readonly personMembers?: readonly PersonMember[];
  readonly clientAuth?: readonly ClientAuthMethod[];
  /** Proofs that the sender of a request holds a key: DPoP, mTLS. Without a proof, tokens are bearer tokens. */
  readonly senderProofs?: readonly SenderProof[];
  /** Kinds of requests that a person answers: authorization requests, device logins. */
  readonly requestKinds?: readonly RequestKind[];
  /** Sources of authorization requests besides the query and the form: a pushed request, a signed object. */
  readonly requestSources?: readonly RequestSource[];
  /**
   * Parameters that the core does not read: prompt, claims, id_token_hint. Authorization requests have them, and device
   * logins too.
   */
  readonly requestParams?: readonly RequestParam[];
  /** The values that the feature carries from a request to its grant: a nonce, claims. Each name has one feature. */
  readonly carries?: readonly ValueKey<unknown>[];
  /** Answers instead of the person, so that tests need no pages. */
  readonly decides?: (interaction: Interaction, services: Services) => Promise<Decision | undefined>;
  /** What its page asks before the sign-in, or of an account after it. Throws if the person cannot answer the request. */
  readonly asks?: (
    interaction: Interaction,
    account: Pick<SignedIn, "person" | "amr"> | undefined,
    services: Services,
  ) => FeatureStep | undefined;
  readonly secondFactor?: SecondFactor;
  readonly signUp?: SignUp;
  /** Rows of the consent page: what a request asks for besides scopes and resources. */
  readonly consentRows?: readonly ConsentRow[];
  readonly responseTypes?: readonly ResponseType[];
  readonly responseModes?: readonly ResponseMode[];
  readonly grantTypes?: readonly GrantType[];
  /** Readers of the tokens that a client may exchange for others (RFC 8693): own ones, those of trusted issuers. */
  readonly exchangeable?: readonly ExchangeableReader[];
  /** Changes what a redemption proposes, before any token exists: its resources, and the claims of the access token. */
  readonly changesRedemption?: ChangeRedemption;
  /** Creates additional members of a token response: a refresh token, an ID token. */
  readonly tokenMembers?: (
    issue: TokenIssue & { readonly accessToken: string },
    services: Services,
  ) => TokenMembers | undefined | Promise<TokenMembers | undefined>;
  /** Tells clients that these sign-ins have ended, and returns what became of each message. */
  readonly tellsSignOut?: (
    accounts: readonly Account[],
    exchange: Exchange,
    services: Services,
  ) => Promise<readonly ToldClient[]>;
  /** Names of scopes that the feature implements: "openid". */
  readonly scopes?: readonly string[];
  /** Metadata that does not follow from the slots above. Use a function for a value that depends on the server. */
  readonly metadata?: Readonly<Record<string, MetadataValue>>;
}

/** A feature whose endpoints may have any names, for lists of features. */
export type AnyFeature = Feature<string>;

/** `programUrl` is what the URLs of the endpoints for programs begin with. */
export type MetadataValue =
  | string
  | boolean
  | readonly string[]
  | ((services: Services, programUrl: string) => unknown);

export interface Endpoint<Name extends string = string> {
  readonly method: Method;
  /** The path below the issuer's path. The last segment may be a variable: `/connect/register/{client_id}`. */
  readonly path: string;
  /** The name of the endpoint for the test kit: "token". An endpoint without a name counts as "page". */
  readonly name?: Name;
  /** The member of the metadata that announces the endpoint: "token_endpoint". */
  readonly metadataName?: string;
  /**
   * The clients that authenticate at the endpoint. The metadata announces their methods and algorithms after the name of
   * the endpoint: `token_endpoint_auth_methods_supported` (RFC 8414 §2). `confidential`: without the method `none`.
   */
  readonly announcesClientAuth?: "all" | "confidential";
  /** The path is inserted before the path of the issuer (RFC 8414 §3.1). */
  readonly wellKnown?: true;
  /** The path is not below the path of the issuer. */
  readonly atOrigin?: true;
  /** The URL of the endpoint, if it is not made of the path. */
  readonly url?: string;
  /** The format of a refusal: JSON for programs or a page for people. */
  readonly refusal: "json" | "page";
  /** The names of the parameters, for pages that say what a request has. Client authentication adds its own. */
  readonly params?: readonly string[];
  /** Scripts of other origins may call the endpoint. Not for endpoints of the pages (RFC 9700 §2.6). */
  readonly cors?: true;
  /** Requests may name the server by any IP address, as the probes of container platforms do. */
  readonly acceptsIpHost?: true;
  /** Programs call the endpoint every few seconds, so the journal has only its refusals. */
  readonly isRoutine?: true;
  /** Answers a request. `variable` is the decoded value of the path's variable, or empty if the path has none. */
  handle(exchange: Exchange, services: Services, variable: string): Answer | Promise<Answer>;
}

interface OtherPort {
  /** Returns the number of the port. `undefined`: this server has none. */
  find(settings: Pick<Settings, "ofFeatures">): number | undefined;
  serves(endpoint: Endpoint): boolean;
  /** What the port is for, for a refusal: "clients with a certificate". */
  readonly purpose: string;
}

export interface ClientSource {
  /** The name of the source, which its clients have as `source`. */
  readonly name: string;
  /** Describes the clients of the source, for the refusal of an unknown client: "a configured client". */
  expects(services: Pick<Services, "settings" | "slots">): string;
  /**
   * Whether only this source, or the configuration, can have such an id. A source with this function has no other
   * clients.
   */
  owns?(id: string): boolean;
  /**
   * The client itself makes the request of `exchange`, so the source may fetch the client. Without an exchange, for
   * example when the server checks that the client of a token still exists, the source only loads what it has.
   */
  find(id: string, services: Services, exchange?: Exchange): Promise<Client | undefined>;
  /** Lists the clients for the front page. */
  list?(services: Services): AsyncIterable<Client>;
  /** Returns the client that an unknown id becomes if a person approves the request. Writes nothing. */
  findCandidate?(id: string, redirectUri: string | undefined, services: Services): Client | undefined;
  /**
   * Returns the client that an unknown id becomes if a person approves its request on another device. The client has no
   * redirect URI. It polls with the grant type while `waiting_clients.ts` keeps it. Writes nothing.
   */
  findPollingCandidate?(id: string, grantType: string, services: Services): Client | undefined;
  /** Stores a client that a person has approved, and resolves to the stored client. Throws if the id is taken now. */
  keep?(client: Client, services: Services): Promise<Client>;
  /** Records a redemption that has passed every check. Returns `false` if the client must authenticate again. */
  recordUse?(client: Client, use: ClientUse, services: Services): Promise<boolean>;
}

interface ClientSearch extends Pick<ClientSource, "owns"> {
  readonly sources: readonly ClientSource[];
}

/** A member of a person in the configuration. Its value is kept unchanged. Read it with `memberOf`. */
export type PersonMember<T = unknown> = Pick<ClientMember<T>, "name" | "schema" | "type">;

/** A member of client metadata. Its value is stored unchanged. Read it with `memberOf`. */
export interface ClientMember<T = unknown> extends ValueKey<T> {
  /** The name of the member in its specification: "default_max_age". */
  readonly name: string;
  readonly schema: Schema;
  /**
   * Checks a rule that the schema cannot express, and returns what is expected: of this member, or of another place.
   * Other members have passed their schemas, but maybe not `check`.
   */
  check?(value: T, client: Client, slots: Slots): string | MetadataProblem | undefined;
  /** The value is an algorithm that the server signs with for the client, so the server needs a key for it. */
  readonly isSigningAlgorithm?: true;
  /** The specification names RS256 as the default. A client may register it even if the server signs with another one. */
  readonly isUsuallyRs256?: true;
}

export interface MetadataProblem {
  /** Where the metadata is wrong: `redirect_uris[1]`. */
  readonly place: string;
  readonly expected: string;
}

/** Credentials that a request contains. They are not checked yet. */
export interface Credentials {
  readonly clientId: string;
  /** The secret. The server compares its hash with that of the client. */
  readonly secret?: string;
  /** How the method read the credentials, if it has several readings: "as raw text". */
  readonly reading?: string;
  readonly deviation?: Deviation;
  /** Checks a proof that is not a secret. Resolves to the error, or to `undefined` if the proof is valid. */
  prove?(client: Client, services: Services): Promise<OAuthError | undefined>;
}

/** Marks a reading of credentials that the specification does not allow, but that many clients use. */
export interface Deviation {
  /** The advice for the journal if the credentials are right in this reading. */
  readonly advice: Advice;
  /** Returns a refusal if the client has registered that it follows the specification strictly. */
  findRefusal(client: Client): OAuthError | undefined;
}

export interface ClientAuthMethod {
  /** The name in client metadata and in the server's metadata: "client_secret_basic". */
  readonly name: string;
  /** The scheme, if the method reads the Authorization header. A failure is answered with its challenge. */
  readonly scheme?: string;
  /** The method reads a `client_assertion` (RFC 7521 §4.2) that is signed with one of these algorithms. */
  readonly assertionAlgorithms?: readonly string[];
  /** The method uses the secret, of at least so many octets, as a key. So the server keeps more than its hash. */
  readonly keyOctets?: number;
  /** The configuration lacks this option, so the server does not have the method, and refusals name the option. */
  readonly missingOption?: string;
  /** A client of the method has registered at least one of these members. Default: `client_secret`. */
  readonly needs?: readonly string[];
  /** Returns every reading of the credentials, the standard one first. Empty: the request uses another method. */
  read(exchange: Exchange, form: Params, settings: Settings): readonly Credentials[];
  /** The connection authenticates the client, which sends only its client_id (RFC 8705 §2). Resolves to the error. */
  proveConnection?(client: Client, exchange: Exchange, services: Services): Promise<OAuthError | undefined>;
}

/** A kind of proof that the sender of a request holds a key. Tokens are bound to the key that their request proves. */
export interface SenderProof {
  /** The member of the claim `cnf` that holds the key's thumbprint: "jkt" (RFC 7800 §3.1). */
  readonly name: string;
  /** The token_type of bound tokens, which is also the scheme that presents them: "DPoP", "Bearer". */
  readonly tokenType: string;
  /** Where a request has the proof, for refusals: "the header DPoP". */
  readonly presentedIn: string;
  /** Another port of the server, at which clients give the proof, and at which only some endpoints are. */
  readonly otherPort?: OtherPort;
  /** The client metadata without which the proof binds no token. Absent: the proof is enough. */
  readonly boundBy?: string;
  /** The parameter that names the key: `dpop_jkt`. A proof in the pushed request has the same effect (RFC 9449 §10.1). */
  readonly requestParam?: string;
  /** Whether this client gets tokens only with this proof, at the token endpoint. */
  isRequired?(client: Client, services: Pick<Services, "settings">): boolean;
  /** Returns parameters for the challenge of that scheme: `algs`. */
  readonly challengeParams?: (services: Services) => Readonly<Record<string, string>>;
  prove(
    exchange: Exchange,
    options: ProofOptions,
    services: Services,
  ): ProofResult | undefined | Promise<ProofResult | undefined>;
  /** Notes a proof that the request has sent in vain. Called after the answer is made, and only if there is a journal. */
  noteIgnored?(exchange: Exchange, endpoint: Endpoint, services: Services): Promise<void> | undefined;
}

export interface ProofOptions {
  /** The URLs of the endpoint or resource as the server names them, without a query. A proof is for one of them. */
  readonly urls: readonly string[];
  /** The server or API that checks the proof. A nonce for one audience is not valid at another (RFC 9449 §8, §9). */
  readonly audience: string;
  /** How the audience uses nonces. Default: as the server itself. */
  readonly nonces?: NonceMode;
  /** The client that has authenticated. Present at the token endpoint. */
  readonly client?: Client;
  /** The access token of the request. Present at a protected resource. */
  readonly accessToken?: string;
}

export type ProofResult = { readonly thumbprint: string } | { readonly refusal: OAuthError };

/** A kind of request that a person answers on pages. `oauth/authorization/steps.ts` has the order of its functions. */
export interface RequestKind<
  To extends Destination = Destination,
  Request extends AccessRequest = AccessRequest,
> {
  readonly name: string;
  /** The path of its pages. The endpoint at this path passes its parameters to `answerNewRequest`. */
  readonly path: string;
  /** Checks where the answer may go. A page shows a refusal, because no redirect URI is verified yet. */
  findDestination(pending: PendingRequest, exchange: Exchange, services: Services): Promise<To>;
  /** Makes the remaining checks. Their errors can be sent to the destination. */
  validate(
    pending: PendingRequest,
    destination: To,
    exchange: Exchange,
    services: Services,
  ): Promise<Request>;
  /** Returns the grant and the response of an approval, and writes nothing. */
  issue(
    approval: Approval,
    valid: { readonly destination: To; readonly request: Request },
    services: Services,
  ): Issued;
  /** Sends the response. Called after the grant is stored. */
  respond(issued: Issued, destination: To, exchange: Exchange, services: Services): Promise<Answer>;
  /** Whether the destination receives the error. If not, a page shows it, and the request can still be answered. */
  accepts(error: OAuthError, destination: To): boolean;
  refuse(error: OAuthError, destination: To, exchange: Exchange, services: Services): Promise<Answer>;
}

/** A source of authorization requests: replaces the parameters by those that one parameter refers to. */
export interface RequestSource {
  /** The name of the source in the journal and on pages: "pushed request". */
  readonly name: string;
  /** The parameter that the source reads: `request_uri`. */
  readonly param: string;
  /**
   * Resolves to the request that `value` refers to, or to `undefined` if the value belongs to another source. `outer`
   * has the other parameters, which have no effect. Only their client_id is compared with that of the result.
   */
  resolve(
    value: string,
    outer: Params,
    exchange: Exchange,
    services: Services,
  ): Promise<ResolvedRequest | undefined>;
  /** Notes that a request has its one answer. Called at this server only, for each request whose id a source has set. */
  noteAnswer?(grantId: string, services: Services): void;
  readonly requiredBy: SourceRequirement;
}

/** With this option or this client metadata, a client must send all its requests in one way. */
interface SourceRequirement {
  readonly setting: Setting<boolean>;
  readonly member: ClientMember<boolean>;
  /** The rule: "RFC 9126 §6". */
  readonly spec: string;
}

export interface RequestParam {
  readonly name: string;
  read(text: string, services: Services, client: Client): ParamReading | Promise<ParamReading>;
  /**
   * Returns a question for a signed-in person that the core would not ask, such as a new sign-in for max_age. It is
   * called for each request, because the client's metadata may stand for the parameter.
   */
  asks?(about: Asked, services: Services): Question | undefined;
}

/** The values of a parameter: those that features carry, and members of the request that the core reads. */
export type ParamReading = Partial<
  Pick<AuthorizationRequest, "carried" | "impliedResource" | "prompt" | "requiredSub" | "confirmation">
>;

/** What the server and tests know of a second proof of who a person is. Its page is what the feature `asks`. */
export interface SecondFactor {
  /** The values of `acr` that only a sign-in with the factor satisfies. Empty if no person has a factor. */
  acrValues(services: Pick<Services, "settings">): readonly string[];
  /** Returns the first requested `acr` that the sign-in satisfies, or one of the factor if none is requested. */
  acrOf(grant: Pick<Grant, "amr" | "carried">, services: Pick<Services, "settings">): string | undefined;
  /** Checks the factor of a decision. Returns its methods, or the account that has them now. Throws if it is wrong. */
  decide(
    decision: PersonDecision,
    interaction: Interaction,
    services: Services,
  ): Promise<{ readonly account?: SignedIn; readonly methods?: readonly string[] }>;
  /** Says what wants the factor at each login of the person with this client. */
  findStanding(
    person: Person,
    client: Client,
    services: Pick<Services, "settings">,
  ): "policy" | "person" | "client" | undefined;
  /** `always`: each sign-in of this person needs it. `undefined`: the person has none. */
  factorOf(person: Person): { readonly kind: "totp" | "code"; readonly always?: boolean } | undefined;
  /** Returns the code that is accepted next, or the seconds after which there is one, if those of now have been used. */
  nextCode(person: Person, services: Services): Promise<string | number>;
  /** Returns what an app needs to make the codes of a person: the secret, and the link that has it. `undefined`: no app does. */
  describeAuthenticator(
    person: Person,
    services: Services,
  ): Promise<Record<"secret" | "uri", string> | undefined>;
}

/** What a request and the sign-in page know of the way to make an account. */
export interface SignUp {
  /** The values of `prompt` that it adds. Empty if it is off. */
  readonly prompts: readonly string[];
  /** Throws if the values have `create` and the sign-up is off, or if they have one that excludes it. */
  checkPrompt(values: readonly string[], seen: Record<"expected" | "received", string>): void;
  /** Returns the same request with `prompt=create`. `undefined`: the request cannot have it, or the sign-up is off. */
  requestSignUp(interaction: Pick<Interaction, "pending" | "request">): PendingRequest | undefined;
}

/** A decision instead of a person: to deny, or to approve as this person, who also consents. */
export type Decision = { readonly denied: true } | PersonDecision;

export interface PersonDecision {
  readonly person: Person;
  /** A text: the code. `true`: proven without a code. `false`: not proven. Absent: proven if the request needs it. */
  readonly secondFactor?: boolean | string | undefined;
  /** Approves as this account, if the request requires no new sign-in. Absent: the person signs in. */
  readonly account?: SignedIn;
}

export interface ConsentRow {
  /** The id of the row on the page: "claims". */
  readonly name: string;
  /** The heading in English. Default: the words of the pages have a heading of this name. */
  readonly heading?: string;
  /** Returns plain text. Remembered consent covers only lines that the person has seen, and no optional line. */
  list(request: AccessRequest, services: Services): ConsentLines | Promise<ConsentLines>;
  /** Changes the request if the person leaves out the lines with these ids. Needed for optional lines. */
  leaveOut?(
    ids: readonly string[],
    request: AccessRequest,
    services: Services,
  ): LeftOut | Promise<LeftOut>;
}

type ConsentLines = readonly (string | OptionalLine)[];
type LeftOut = Pick<AccessRequest, "carried" | "impliedResource">;

export interface Asked {
  readonly request: AccessRequest;
  readonly pending: PendingRequest;
  readonly account: SignedIn;
}

/** A question for the person, in the order in which the pages ask. */
export type Question = "sign_in" | "sign_up" | "choose" | "second_factor" | "consent";

export interface ResponseType {
  readonly name: string;
  /** Returns the result of an approval: the grant to store, and the parameters for the client. */
  issue(approval: Approval, request: AuthorizationRequest, services: Services, client: Client): {
    readonly grant: Grant;
    readonly expiresAt: number;
    readonly params: readonly (readonly [name: string, value: string])[];
  };
}

export interface ResponseMode {
  readonly name: string;
  /** The mode that sends the response of this one. Without it, the server does not have this mode either. */
  readonly sentBy?: string;
  /** With this client metadata, a client must use one of the modes that name it. */
  readonly requiredBy?: ClientMember<boolean>;
  /** Whether a response can go to this redirect URI. Default: to each. */
  reaches?(redirectUri: string): boolean;
  respond(
    target: RedirectTarget,
    params: readonly Pair[],
    exchange: Exchange,
    services: Services,
  ): Answer | Promise<Answer>;
}

export interface GrantType {
  readonly name: string;
  /** The names of the parameters, for a page on which a person writes a request. */
  readonly params: readonly string[];
  /** Parameters of the token request that may be repeated, besides `resource`: `audience` (RFC 8693 §2.1). */
  readonly repeatable?: readonly string[];
  /** Reads the tokens that clients redeem by this grant type, for introspection and revocation: refresh tokens. */
  readonly tokenReader?: TokenReader;
  /**
   * Checks everything and proposes a change, which the token endpoint writes. It runs again, up to ten times, if another
   * request changes the grant meanwhile. So what it writes itself must be safe to repeat: a poll, a person at first use.
   */
  redeem(request: TokenRequest, services: Services): Proposal | Promise<Proposal>;
}

/** A token request whose client and sender are known. */
export interface TokenRequest {
  readonly exchange: Exchange;
  readonly form: Params;
  readonly client: AuthenticatedClient;
  readonly sender: Sender;
}

export interface TokenIssue {
  readonly redemption: Redemption;
  readonly client: Client;
  readonly sender: Sender;
  readonly exchange: Exchange;
}

export interface TokenReader {
  readonly kind: ReadToken["kind"];
  /** Returns `undefined` if the text is not a token of this kind. */
  read(text: string, services: Services): Promise<ReadToken | undefined>;
}

/** Reads tokens that a client may exchange. Several readers may read the same type. */
export interface ExchangeableReader {
  /** The types of the tokens: "urn:ietf:params:oauth:token-type:id_token" (RFC 8693 §3). */
  readonly types: readonly string[];
  /**
   * Returns the token if it is valid now. Returns `undefined` for a token of another issuer or kind. Throws the refusal of
   * a token that is not valid: `invalid_request` (RFC 8693 §2.2.2).
   */
  read(presented: PresentedForExchange, services: Services): Promise<ExchangeableToken | undefined>;
}

/**
 * Returns the redemption with other claims or fewer resources, or throws. The claims are those of the access token only.
 * It is called for each redemption, so it also adds what a request without a parameter gets.
 */
export type ChangeRedemption = (
  about: { readonly redemption: Redemption; readonly form: Params; readonly client: Client },
  services: Services,
) => Redemption | Promise<Redemption>;

/** The slots of all features, gathered once when the server is created. */
export interface Slots {
  readonly endpoints: readonly Endpoint[];
  readonly otherPort: OtherPort | undefined;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly clientSources: ReadonlyMap<string, ClientSource>;
  /** The sources to search, in order. The first list whose `owns` accepts the id counts, and the last list has none. */
  readonly clientSearches: readonly ClientSearch[];
  readonly clientMembers: ReadonlyMap<string, ClientMember>;
  readonly personMembers: ReadonlyMap<string, PersonMember>;
  /** The methods that clients may use, besides `none`. */
  readonly clientAuth: ReadonlyMap<string, ClientAuthMethod>;
  /** The methods that the configuration forbids. The server still reads their credentials, to explain the refusal. */
  readonly refusedClientAuth: readonly ClientAuthMethod[];
  /** The option that a client member, or a method of client authentication, needs, by its name. For refusals. */
  readonly neededOptions: ReadonlyMap<string, string>;
  readonly acceptsPublicClients: boolean;
  readonly senderProofs: ReadonlyMap<string, SenderProof>;
  /** Bearer, and the token types of the sender proofs. */
  readonly tokenTypes: readonly string[];
  readonly requestKinds: ReadonlyMap<string, RequestKind>;
  readonly requestSources: readonly RequestSource[];
  readonly requestParams: ReadonlyMap<string, RequestParam>;
  readonly carries: ReadonlyMap<string, ValueKey<unknown>>;
  readonly decides: NonNullable<Feature["decides"]> | undefined;
  readonly asks: readonly NonNullable<Feature["asks"]>[];
  readonly secondFactor: SecondFactor | undefined;
  readonly signUp: SignUp | undefined;
  readonly consentRows: ReadonlyMap<string, ConsentRow>;
  readonly responseTypes: ReadonlyMap<string, ResponseType>;
  readonly responseModes: ReadonlyMap<string, ResponseMode>;
  readonly grantTypes: ReadonlyMap<string, GrantType>;
  readonly exchangeable: readonly ExchangeableReader[];
  readonly changesRedemption: readonly ChangeRedemption[];
  readonly tokenMembers: readonly NonNullable<Feature["tokenMembers"]>[];
  /** Readers of other tokens than access tokens, which the core reads. */
  readonly tokenReaders: readonly TokenReader[];
  readonly tellsSignOut: readonly NonNullable<Feature["tellsSignOut"]>[];
  readonly scopes: readonly string[];
  readonly metadata: Readonly<Record<string, MetadataValue>>;
}

/** The services that the steps use. They are frozen and the same for every request. */
export interface Services {
  readonly settings: Settings;
  readonly slots: Slots;
  readonly store: Store;
  readonly keys: KeyRing;
  readonly people: PeopleServices;
  readonly seams: Seams;
  readonly pages: Pages;
  readonly cookies: CookieJar;
  /** The only way to call other servers. */
  readonly fetch: OwnRequests;
  /** Returns the time in seconds since 1970, with a fraction. The server has no other clock. */
  readonly now: () => number;
  /** Identifies this clock in records that other servers on the same store may read. See `Timed`. */
  readonly clock: string;
  readonly random: RandomBytes;
}

/** What the server keeps about people besides `settings.people`. */
interface PeopleServices extends PersonSecrets {
  readonly signInLimits: SignInLimits;
  /** Absent: the people of the server are the configured ones. */
  readonly newcomers?: () => Newcomers;
}

export interface OwnRequests extends GuardedFetch {
  /** Answers a request that the server sends to itself, as if a client had sent it: with seams, limits and journal. */
  callSelf(request: IncomingRequest): Promise<Answer>;
}
