/** The interface of one authorization server in a test: the mock itself, or a tenant. */

import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../server/setup/configuration.ts";
import type { ClientCalls } from "./client/client_calls.ts";
import type { GivenTokens } from "./client/given_tokens.ts";
import type { Clock } from "./conditions/clock.ts";
import type { FailTerms, Gate, GateTerms } from "./conditions/closed_gate.ts";
import type { HookName } from "./conditions/hook_table.ts";
import type { Hook, HookTerms } from "./conditions/hooks.ts";
import type { NextSignIn, NextSignInTerms } from "./conditions/next_sign_in.ts";
import type { RotateKeysTerms } from "./conditions/rotate_keys.ts";
import type { EndpointName } from "./endpoints.ts";
import type { Requests } from "./journal/recorder.ts";
import type { HtmlTimelineChoice, TextTimelineForm, TimelineChoice } from "./journal/timeline.ts";
import type { Fetch } from "./network/fetch.ts";
import type { Resource } from "./resources/resource.ts";
import type { ResourceHandler, ResourceTerms } from "./resources/resource_terms.ts";
import type { RouteHandler } from "./resources/route.ts";
import type { LookingLike, LookLikeTerms } from "./misbehaving/look_like.ts";
import type { MisbehaveTerms } from "./misbehaving/active_misbehaviour.ts";
import type { Misbehaving } from "./misbehaving/misbehave.ts";
import type { IdJagFault } from "../faults/id_jag_faults.ts";
import type { LookAlikeName } from "../faults/look_alikes/providers.ts";
import type { ForgeryName, MisbehaviourName } from "../faults/names.ts";
import type { Directory } from "./terms/directory.ts";
import type { Duration } from "../../ground/schema/duration.ts";
import type { Environment } from "./terms/environment.ts";
import type { Expired, ExpiringTokens } from "./tokens/expire.ts";
import type { Forgery, ForgeTerms } from "./tokens/forge.ts";
import type { IdJag, IdJagTerms } from "./tokens/id_jag.ts";
import type { MintTerms } from "./tokens/mint_terms.ts";
import type { Protect, ProtectTerms } from "./tokens/protect.ts";

/** One authorization server with its own issuer, people, clients, clock, journal, gates and hooks. */
export interface Tenant extends ClientCalls, AsyncDisposable {
  /** The URL that identifies this server to clients. */
  readonly issuer: string;
  /** The clock of this server, which a test moves. */
  readonly clock: Clock;
  /** The people who can sign in. A test can add, change and remove them. */
  readonly people: Directory<PersonConfiguration>;
  /** The clients. A test can add, change and remove them. */
  readonly clients: Directory<ClientMetadata>;
  /** The recorded requests with their responses, and the facts that the server recorded about them. */
  readonly requests: Requests;
  /** A `fetch` for clients that calls this server without a network. */
  readonly fetch: Fetch;
  /**
   * Answers the next authorization request without a page: a username signs that person in, and `{ deny: true }`
   * refuses the request.
   */
  nextSignIn(next: NextSignIn, terms?: NextSignInTerms): void;
  /**
   * Replaces the signing keys. The old keys stay in the JWKS until the tokens that they signed have expired. A reset
   * restores the first keys.
   */
  rotateKeys(terms?: RotateKeysTerms): Promise<void>;
  /** Issues a valid token without a flow. The server knows it like any other token. */
  mint(terms?: MintTerms): Promise<string>;
  /**
   * Expires a token, or the access token and the ID token of a response. Returns copies that have expired; the original
   * access token ends, too. The clock and all other tokens stay as they are, so the refresh token of a response stays
   * valid.
   */
  expire<T extends string | ExpiringTokens>(tokens: T): Promise<Expired<T>>;
  /**
   * Lets the next refresh replace a refresh token that stays the same otherwise (`rotateRefreshTokens: false`). The old
   * token can be sent again until the client has used the new one. Has no effect if each refresh replaces the token.
   */
  rotateRefreshToken(tokens: string | Pick<GivenTokens, "refresh_token">): Promise<void>;
  /**
   * Creates a function that checks requests as a resource server does. The function returns the claims of the access
   * token, or the `Response` that refuses the request.
   */
  protect(terms?: ProtectTerms): Protect;
  /**
   * Creates an API that accepts tokens of this server and publishes its metadata (RFC 9728). `fetch` and `intercept()`
   * answer for its origin as well. A path instead of a URL is at the origin of the issuer, also on its port.
   */
  resource(url: string | URL, terms?: ResourceTerms, handler?: ResourceHandler): Resource;
  /**
   * Answers requests to one address by a function, and records them in `requests`: "GET https://api.test/orders", or
   * "GET /status" at the origin of the issuer, also on its port. Disposing of the result or `reset` removes the route.
   */
  route(pattern: string, handler: RouteHandler): Disposable;
  /** The names of the faulty access tokens that a test can send one by one. */
  readonly forgeries: readonly ForgeryName[];
  /** Creates an access token with exactly one fault. The result says how a resource server must answer the token. */
  forge(name: ForgeryName, terms?: ForgeTerms): Promise<Forgery>;
  /** The faults that `idJag` accepts. */
  readonly idJagFaults: readonly IdJagFault[];
  /**
   * Issues an ID-JAG as an identity provider does, without a token exchange, for tests of a server that accepts ID-JAGs.
   * With a fault, the result says how the server must answer.
   */
  idJag(terms: IdJagTerms): Promise<IdJag>;
  /** Holds requests to this endpoint until the gate releases them. */
  hold(endpoint: EndpointName, terms?: GateTerms): Gate;
  /**
   * Delays requests to this endpoint with the global `setTimeout`. If a test runner has replaced `setTimeout` by fake
   * timers, the delay ends when the test advances them. Disposing of the result ends the delay.
   */
  delay(endpoint: EndpointName, by: Duration, terms?: GateTerms): Disposable;
  /**
   * Lets requests to this endpoint fail before the server handles them: the client receives the status 503 and can send
   * the same code or refresh token again. Disposing of the result ends the failures.
   */
  fail(endpoint: EndpointName, terms?: FailTerms): Disposable;
  /**
   * Drops responses: the server handles the request, and the client sees a broken connection. So a code or a refresh
   * token in the request is used. Over a port, expect repeated requests, because some clients retry when a connection
   * breaks.
   */
  drop(endpoint: EndpointName, terms?: GateTerms): Disposable;
  /** Adds a hook, a function that changes a value before the server sends it. Disposing of the result removes it. */
  on<N extends HookName>(name: N, hook: Hook<N>, terms?: HookTerms<NoInfer<N>>): Disposable;
  /** The names that `misbehave` accepts. */
  readonly misbehaviours: readonly MisbehaviourName[];
  /** Makes the server wrong in one way, until the result is disposed of. The result says whether the client noticed. */
  misbehave(name: MisbehaviourName, terms?: MisbehaveTerms): Misbehaving;
  /**
   * Makes the server answer as a well-known provider does where the provider differs from the standards, until the
   * result is disposed of. The provider's own documentation names each difference.
   */
  lookLike(name: LookAlikeName, terms?: LookLikeTerms): LookingLike;
  /** Returns the recorded requests as text, JSON lines, HAR or a Mermaid diagram. Secrets are removed. */
  timeline(form?: TextTimelineForm | TimelineChoice<TextTimelineForm>): string;
  /**
   * Resolves to the recorded requests as one HTML file, for example for the artifacts of a CI run. It explains each
   * request and each refusal, loads nothing, and has the latest 500 requests. Secrets are removed.
   */
  timeline(form: "html" | HtmlTimelineChoice): Promise<string>;
  /**
   * Explains the last refusal and the last advice since the start or a reset, even if later requests succeeded: the rule,
   * what was expected, and what was received. The line `earlier` has the first refusal since the last success,
   * such as a login or a token response, because it may be the cause. An advice
   * says which rule an accepted request broke, or why a token is inactive.
   */
  explain(): string | undefined;
  /**
   * Returns the environment variables that configure an application, under the names that `npx postern start` prints. There
   * is no `OAUTH_SCOPE`.
   */
  env(client?: string): Environment;
  /**
   * Restores the initial state of records, people, clients, clock, journal, hooks, gates and routes. `intercept()` and open ports
   * stay.
   */
  reset(): void;
  /** Refuses new requests, ends all waiting, and waits for running requests. `await using` calls this method. */
  close(): Promise<void>;
}
