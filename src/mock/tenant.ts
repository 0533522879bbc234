/** One authorization server of the kit, as a test sees it. */

import type { ClientMetadata } from "../setup/client_metadata.ts";
import type { PersonConfiguration } from "../setup/configuration.ts";
import type { AuthorizeTerms } from "./client/authorize.ts";
import type { Browser } from "./client/browser.ts";
import type { EndSessionTerms } from "./client/end_session.ts";
import type { GivenTokens } from "./client/given_tokens.ts";
import type { LoginTerms } from "./client/login.ts";
import type { RefreshTerms } from "./client/refresh.ts";
import type { RevokeTerms } from "./client/revoke.ts";
import type { Tokens } from "./client/token_response.ts";
import type { Clock } from "./conditions/clock.ts";
import type { Gate } from "./conditions/gate.ts";
import type { GateTerms } from "./conditions/gates.ts";
import type { HookName } from "./conditions/hook_table.ts";
import type { Hook, HookTerms } from "./conditions/hooks.ts";
import type { NextSignIn, NextSignInTerms } from "./conditions/next_sign_in.ts";
import type { EndpointName } from "./endpoints.ts";
import type { Requests } from "./journal/recorder.ts";
import type { TimelineForm } from "./journal/timeline.ts";
import type { Fetch } from "./network/fetch.ts";
import type { Directory } from "./terms/directory.ts";
import type { Duration } from "./terms/duration.ts";
import type { Environment } from "./terms/environment.ts";
import type { Expired, ExpiringTokens } from "./tokens/expire.ts";
import type { Forgery } from "./tokens/forge.ts";
import type { ForgeryName, ForgeTerms } from "./tokens/forgeries.ts";
import type { MintTerms } from "./tokens/mint_terms.ts";
import type { Protect, ProtectTerms } from "./tokens/protect.ts";

/** One authorization server with its own issuer, people, clients, clock, journal, gates and hooks. */
export interface Tenant extends AsyncDisposable {
  readonly issuer: string;
  readonly clock: Clock;
  readonly people: Directory<PersonConfiguration>;
  readonly clients: Directory<ClientMetadata>;
  /** Requests and their answers, with what the server found out about them. */
  readonly requests: Requests;
  /** A `fetch` for clients, which answers for this issuer without a network. */
  readonly fetch: Fetch;
  /** Runs a whole flow with PKCE: the person signs in and approves, and the client gets its tokens. */
  login(username?: string, terms?: LoginTerms): Promise<Tokens>;
  /** Plays the browser for a client's authorization URL. Resolves to the address that the browser is sent back to. */
  authorize(url: string | URL, terms?: AuthorizeTerms): Promise<URL>;
  /** The same for `response_mode=form_post`. Resolves to the request that the browser sends to the client. */
  authorizeForm(url: string | URL, terms?: AuthorizeTerms): Promise<Request>;
  /** Decides the next authorization request of a client, or of any, so that a real browser shows no page. */
  nextSignIn(next: NextSignIn, terms?: NextSignInTerms): void;
  /** A browser for `login` and `authorize`: a person who signs in with it stays signed in. */
  browser(): Browser;
  refresh(tokens: string | Pick<GivenTokens, "refresh_token">, terms?: RefreshTerms): Promise<Tokens>;
  /** Revokes the refresh token, if there is one, and with it everything that the grant gave. */
  revoke(
    tokens: string | Pick<GivenTokens, "access_token" | "refresh_token">,
    terms?: RevokeTerms,
  ): Promise<void>;
  /** Signs the person out at the server, in the browser of these tokens or in the one given. */
  endSession(tokens: GivenTokens, terms?: EndSessionTerms): Promise<void>;
  /** Issues a valid token without a flow. The server knows it like any other token. */
  mint(terms?: MintTerms): Promise<string>;
  /**
   * The same tokens as if they had expired: no clock and no other token changes. The refresh token of a response stays
   * valid. Takes the text of one token, too.
   */
  expire<T extends string | ExpiringTokens>(tokens: T): Promise<Expired<T>>;
  /** Checks requests like a resource server: gives the claims of the access token, or the `Response` that refuses. */
  protect(terms?: ProtectTerms): Protect;
  /** The names of all forgeries. */
  readonly forgeries: readonly ForgeryName[];
  /** A token with exactly this fault, and how a resource server must answer it. */
  forge(name: ForgeryName, terms?: ForgeTerms): Promise<Forgery>;
  /** Holds requests to this endpoint until the gate releases them. */
  hold(endpoint: EndpointName, terms?: GateTerms): Gate;
  delay(endpoint: EndpointName, by: Duration, terms?: GateTerms): Disposable;
  /** The server does its work, and its answer is lost. */
  drop(endpoint: EndpointName, terms?: GateTerms): Disposable;
  /** Changes a value on its way out. */
  on<N extends HookName>(name: N, hook: Hook<N>, terms?: HookTerms<NoInfer<N>>): Disposable;
  /** The requests so far, without secrets. */
  timeline(form?: TimelineForm): string;
  /** The last refusal and the last advice: the rule, what was expected, and what was received. */
  explain(): string | undefined;
  /** The settings of an application, as environment variables with the names that `postern start` prints. */
  env(client?: string): Environment;
  /** Restores the beginning: records, people, clients, clock, journal, hooks and gates; a mock's tenants as well. */
  reset(): void;
  /** Ends all waiting and answers nothing any more; `await using` does the same. */
  close(): Promise<void>;
}
