/** A feature: one capability of the server, in one file that fills a few of these slots. */

import type { Answer } from "../http/message.ts";
import type { Arrival } from "./authorization/approve.ts";
import type { AuthorizationRequest } from "./authorization/authorization_request.ts";
import type { AuthenticatedClient } from "./clients/authenticate_client.ts";
import { type Client, publicClientMethod, type Settlement } from "./clients/client.ts";
import type { OAuthError } from "./error.ts";
import type { Exchange } from "./exchange.ts";
import type { Approval, Grant } from "./tokens/grant.ts";
import type { Interaction } from "./authorization/interaction.ts";
import type { Advice } from "./journal.ts";
import type { Proposal, Redemption, TokenMembers } from "./tokens/issue_tokens.ts";
import type { Pair, Params } from "./params.ts";
import type { PendingRequest } from "./authorization/pending_request.ts";
import type { TokenReader } from "./tokens/read_token.ts";
import type { RedirectTarget } from "./authorization/answer_client.ts";
import type { Services } from "./services.ts";
import type { Account, SignedIn } from "./people/session.ts";

/** Slots stand in the order a request meets them. Two features with one answer are an error at start. */
export interface Feature {
  /** Also the file's name. */
  readonly name: string;
  /** What it implements: "RFC 9126". */
  readonly spec: string;
  readonly endpoints?: readonly Endpoint[];
  /** Where clients come from besides the configuration: first use; registration and metadata documents later. */
  readonly clientSources?: readonly ClientSource[];
  readonly clientAuth?: readonly ClientAuthMethod[];
  /** What an authorization request may say beyond the basics: prompt, claims, a hint. */
  readonly requestParams?: readonly RequestParam[];
  /** What somebody who is signed in has to be asked all the same: by prompt, by max_age. */
  readonly asksUser?: (about: Asked & { readonly now: number }) => Question | undefined;
  /** Who answers for the person at the browser, so that no page is shown: a test that plays the person. */
  readonly decides?: (interaction: Interaction, services: Services) => Promise<Decision | undefined>;
  readonly responseTypes?: readonly ResponseType[];
  readonly responseModes?: readonly ResponseMode[];
  readonly grantTypes?: readonly GrantType[];
  /** What else a token response holds: a refresh token, an ID token. */
  readonly tokenMembers?: (
    made: {
      readonly redemption: Redemption;
      readonly accessToken: string;
      readonly client: Client;
      readonly exchange: Exchange;
    },
    services: Services,
  ) => TokenMembers | undefined | Promise<TokenMembers | undefined>;
  /** From the text of a token to what it stands for: refresh tokens; access tokens are the engine's own. */
  readonly tokenReaders?: readonly TokenReader[];
  /** Hears of sign-ins that have ended. */
  readonly tellsSignOut?: (
    accounts: readonly Account[],
    exchange: Exchange,
    services: Services,
  ) => Promise<void>;
  /** Scopes that mean something here, beside the configured ones. */
  readonly scopes?: readonly string[];
  /** Metadata that nothing above implies; a function where it depends on the server's settings. */
  readonly metadata?: Readonly<Record<string, MetadataValue>>;
}

export type MetadataValue = string | boolean | readonly string[] | ((services: Services) => unknown);

export interface Endpoint {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Its name in the metadata, when it is announced there. */
  readonly name?: string;
  /** The path stands before the issuer's own path, as RFC 8414 §3.1 wants it. */
  readonly wellKnown?: true;
  /** How a refusal leaves when no client is known to receive it: to a program or to a person. */
  readonly refusal: "json" | "page";
  /** Scripts of other origins may call it. Never set where a person is at work (RFC 9700 §2.6). */
  readonly cors?: true;
  handle(exchange: Exchange, services: Services): Answer | Promise<Answer>;
}

export interface ClientSource {
  /** What it takes, for the sentence that refuses an unknown client. */
  readonly expects: string;
  find(id: string, services: Services): Promise<Client | undefined>;
  /** For the front page, where the store can tell. */
  list?(services: Services): AsyncIterable<Client>;
  /** What an unknown id would become if somebody approved it. Writes nothing. */
  propose?(id: string, redirectUri: string | undefined, services: Services): Client | undefined;
  /** Somebody approved: the client as it is kept from now on. Refused when another one took the id meanwhile. */
  adopt?(client: Client, services: Services): Promise<Client>;
  /**
   * A redemption passed every check. The first one says how the client authenticates from now on, and each one until
   * when the client is needed. `false`: another one said so meanwhile, and this request has to be authenticated again.
   */
  settle?(client: Client, terms: Settlement, services: Services): Promise<boolean>;
}

/** What a request shows to say who it is from; nothing is checked yet. */
export interface Credentials {
  readonly clientId: string;
  /** Compared with the hash that is held of it. */
  readonly secret?: string;
  /** The rule that this reading of the request breaks. Clients that insist on the rule are refused. */
  readonly breaks?: Advice;
  /** What the same text means when it is read in another way. Tried when this reading does not fit. */
  readonly otherwise?: Credentials;
  /** Anything else that proves it. Resolves to what is wrong with it. */
  prove?(client: Client, services: Services): Promise<OAuthError | undefined>;
}

export interface ClientAuthMethod {
  /** As registered and announced: "client_secret_basic". */
  readonly name: string;
  /** The scheme of the Authorization header it reads, if it reads that: a failure is then answered in kind. */
  readonly scheme?: string;
  /** `undefined`: these credentials are not mine. */
  read(exchange: Exchange, form: Params): Credentials | undefined;
}

export interface RequestParam {
  readonly name: string;
  read(
    text: string,
    services: Services,
  ): Partial<AuthorizationRequest> | Promise<Partial<AuthorizationRequest>>;
}

/** What was decided for a person: to say no, to approve as the one who is signed in, or to sign in and approve. */
export type Decision =
  | { readonly denied: true }
  | { readonly account: SignedIn }
  | { readonly arrival: Arrival };

/** A request, and the person who is signed in for it. */
export interface Asked {
  readonly request: AuthorizationRequest;
  readonly pending: PendingRequest;
  readonly account: SignedIn;
}

/** In the order in which they are asked. */
export type Question = "sign_in" | "choose" | "consent";

export interface ResponseType {
  readonly name: string;
  /** What an approval gives: the grant as it shall be kept, and the parameters for the client. */
  issue(approval: Approval, services: Services): {
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
  /** Checks everything and proposes; writes nothing. */
  redeem(
    request: {
      readonly exchange: Exchange;
      readonly form: Params;
      readonly client: AuthenticatedClient;
    },
    services: Services,
  ): Promise<Proposal>;
}

/** Every feature's slots, gathered once at start. */
export interface Slots {
  readonly endpoints: readonly Endpoint[];
  readonly clientSources: readonly ClientSource[];
  readonly clientAuth: ReadonlyMap<string, ClientAuthMethod>;
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

export function gatherSlots(features: readonly Feature[]): Slots {
  return {
    endpoints: gatherEndpoints(features),
    clientSources: features.flatMap((feature) => feature.clientSources ?? []),
    clientAuth: byName(
      "client authentication method",
      features.flatMap((feature) => feature.clientAuth ?? []),
    ),
    requestParams: byName("request parameter", features.flatMap((feature) => feature.requestParams ?? [])),
    asksUser: features.flatMap((feature) => feature.asksUser ?? []),
    decides: onlyOne("answer for the person", features.flatMap((feature) => feature.decides ?? [])),
    responseTypes: byName("response type", features.flatMap((feature) => feature.responseTypes ?? [])),
    responseModes: byName("response mode", features.flatMap((feature) => feature.responseModes ?? [])),
    grantTypes: byName("grant type", features.flatMap((feature) => feature.grantTypes ?? [])),
    tokenMembers: features.flatMap((feature) => feature.tokenMembers ?? []),
    tokenReaders: features.flatMap((feature) => feature.tokenReaders ?? []),
    tellsSignOut: features.flatMap((feature) => feature.tellsSignOut ?? []),
    scopes: features.flatMap((feature) => feature.scopes ?? []),
    metadata: gatherMetadata(features),
  };
}

/** What a server says of itself without any feature, or by the slots alone. */
const derivedMembers: ReadonlySet<string> = new Set([
  "issuer",
  "scopes_supported",
  "response_types_supported",
  "response_modes_supported",
  "grant_types_supported",
  "token_endpoint_auth_methods_supported",
]);

function gatherMetadata(features: readonly Feature[]): Slots["metadata"] {
  const members = new Map<string, MetadataValue>();
  for (const { name, metadata = {} } of features) {
    for (const [member, value] of Object.entries(metadata)) {
      if (members.has(member) || derivedMembers.has(member)) {
        throw new TypeError(
          `Cannot create server: the feature ${name} says ${member}, which is said already`,
        );
      }
      members.set(member, value);
    }
  }
  return Object.fromEntries(members);
}

/** Several methods of one path may share a name; two paths may not. */
function gatherEndpoints(features: readonly Feature[]): readonly Endpoint[] {
  const endpoints = features.flatMap((feature) => feature.endpoints ?? []);
  const pathsByName = new Map<string, string>();
  for (const { name, path } of endpoints) {
    if (name === undefined) continue;
    const known = pathsByName.get(name);
    if (known !== undefined && known !== path) {
      throw new TypeError(`Cannot create server: two features offer the ${name}, at ${known} and at ${path}`);
    }
    pathsByName.set(name, path);
  }
  return endpoints;
}

function onlyOne<Slot>(what: string, [first, second]: readonly Slot[]): Slot | undefined {
  if (second !== undefined) throw new TypeError(`Cannot create server: two features ${what}`);
  return first;
}

function byName<Slot extends { readonly name: string }>(
  what: string,
  slots: readonly Slot[],
): ReadonlyMap<string, Slot> {
  const map = new Map<string, Slot>();
  for (const slot of slots) {
    if (map.has(slot.name) || slot.name === publicClientMethod) {
      throw new TypeError(`Cannot create server: two features offer the ${what} ${slot.name}`);
    }
    map.set(slot.name, slot);
  }
  return map;
}
