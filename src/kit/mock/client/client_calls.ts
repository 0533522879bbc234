/** The calls of a tenant that play a client, with its browser and the person. */

import type { NextSignIn } from "../conditions/next_sign_in.ts";
import { approveDevice } from "./approve_device.ts";
import { authorize, authorizeForm, type AuthorizeTerms } from "./authorize.ts";
import { type Browser, createBrowser } from "./browser.ts";
import type { CertificateTerms, ClientCertificate } from "./client_certificates.ts";
import { type ClientDocument, type ClientDocumentTerms, hostClientDocument } from "./client_document.ts";
import { type DpopHeaders, dpopHeaders, type DpopHeadersTerms } from "./dpop_headers.ts";
import { endSession, type EndSessionTerms } from "./end_session.ts";
import type { GivenTokens } from "./given_tokens.ts";
import { logInOnDevice } from "./log_in_on_device.ts";
import { login, type LoginTerms } from "./login.ts";
import type { PersonTerms } from "./person_terms.ts";
import { refresh, type RefreshTerms } from "./refresh.ts";
import { register, type RegisterTerms, type Registration } from "./register.ts";
import { revoke, type RevokeTerms } from "./revoke.ts";
import { type Authenticator, authenticatorOf, codeOf } from "./second_factor.ts";
import type { RunningTenant } from "../running_tenant.ts";
import type { Tokens } from "./token_response.ts";

/** What a test lets a client, its browser and the person do. */
export interface ClientCalls {
  /** Runs a whole flow with PKCE: the person signs in and approves, and the client gets its tokens. */
  login(username?: string, terms?: LoginTerms): Promise<Tokens>;
  /**
   * Opens a client's authorization URL, or its URL for a sign-out, as a browser would. Resolves to the URL to which the
   * server redirects the browser.
   */
  authorize(url: string | URL, terms?: AuthorizeTerms): Promise<URL>;
  /** Like `authorize`, for `response_mode=form_post`. Resolves to the request that the browser sends to the client. */
  authorizeForm(url: string | URL, terms?: AuthorizeTerms): Promise<Request>;
  /**
   * Answers a device login as the person who types its code: a username signs that person in and approves, and
   * `{ deny: true }` refuses. Default: the person of automatic sign-in, or the first person. Resolves when the server has
   * stored the answer, so that the next poll gets the tokens.
   */
  approveDevice(userCode: string, answer?: NextSignIn, terms?: Pick<PersonTerms, "browser">): Promise<void>;
  /**
   * Resolves to the code of a person's second factor that the server accepts next. Each code works once. After one, it is
   * the code of the next 30 seconds, and then the clock must advance.
   */
  codeOf(username: string): Promise<string>;
  /** Resolves to what an authenticator app needs to make the codes of a person. */
  authenticatorOf(username: string): Promise<Authenticator>;
  /** Creates a browser for `login`, `authorize` and `approveDevice`. A person who signs in with this browser stays signed in. */
  browser(): Browser;
  /**
   * Creates the certificate of a client, valid for the clock of this server (RFC 8705). If `name` is the id of a client,
   * that client shows it from now on: in `login`, `refresh` and `revoke`. The configuration has `mtls: {}`.
   */
  certificate(name: string, terms?: CertificateTerms): Promise<ClientCertificate>;
  /** Redeems a refresh token, as the client that received it. */
  refresh(tokens: string | Pick<GivenTokens, "refresh_token">, terms?: RefreshTerms): Promise<Tokens>;
  /**
   * Creates the headers of a request to an API with a token that is bound to a key: `authorization`, and `dpop` with a
   * new proof. The test kit has the keys of tokens from `login`, `refresh` and `mint` with `dpop`.
   */
  dpopHeaders(
    tokens: string | Pick<GivenTokens, "access_token">,
    url: string | URL,
    terms?: DpopHeadersTerms,
  ): Promise<DpopHeaders>;
  /** Revokes the refresh token and with it all tokens of its grant. Without a refresh token, revokes the access token. */
  revoke(
    tokens: string | Pick<GivenTokens, "access_token" | "refresh_token">,
    terms?: RevokeTerms,
  ): Promise<void>;
  /**
   * Registers a client as the client itself would (RFC 7591), and returns the server's response. `login` and `refresh`
   * know the client then. Default: the redirect URI `http://127.0.0.1/callback`, and the grant types of a usual client.
   */
  register(metadata?: Readonly<Record<string, unknown>>, terms?: RegisterTerms): Promise<Registration>;
  /**
   * Hosts the metadata document of a client, which the server fetches without a network. Its `client_id` is a client for
   * `login`. Default: a public client with the redirect URIs `https://client.test/callback` and
   * `http://127.0.0.1/callback`.
   */
  clientDocument(metadata?: Readonly<Record<string, unknown>>, terms?: ClientDocumentTerms): ClientDocument;
  /** Signs a person out at the server, in the given browser or in the browser in which `login` got these tokens. */
  endSession(tokens: GivenTokens, terms?: EndSessionTerms): Promise<void>;
}

export function createClientCalls(running: RunningTenant): ClientCalls {
  return {
    login: (username, terms = {}) =>
      terms?.device === true ? logInOnDevice(username, terms, running) : login(username, terms, running),
    authorize: (url, terms = {}) => authorize(url, terms, running),
    authorizeForm: (url, terms = {}) => authorizeForm(url, terms, running),
    approveDevice: (userCode, answer, terms = {}) => approveDevice(userCode, answer, terms, running),
    codeOf: (username) => codeOf(username, running),
    authenticatorOf: (username) => authenticatorOf(username, running),
    browser: createBrowser,
    certificate(name, terms = {}) {
      running.requireOpen();
      return running.certificates.create(name, terms, running.clock.now);
    },
    refresh: (tokens, terms = {}) => refresh(tokens, terms, running),
    dpopHeaders: (tokens, url, terms = {}) => dpopHeaders(tokens, url, terms, running),
    revoke: (tokens, terms = {}) => revoke(tokens, terms, running),
    register: (metadata = {}, terms = {}) => register(metadata, terms, running),
    clientDocument: (metadata = {}, terms = {}) => hostClientDocument(metadata, terms, running),
    endSession: (tokens, terms = {}) => endSession(tokens, terms, running),
  };
}
