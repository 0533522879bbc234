/** The interface of the pages: pure functions that return a complete HTML document. */

import type { LibraryHelp } from "../../libraries/library.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { TokenCheckName } from "../../../ground/schema/token_check_name.ts";
import type { Advice, Refusal } from "./journal.ts";
import type { TokenLoss } from "./read_token.ts";

/** A file that the pages load from the server. `Text` is a promise if the file is loaded when it is first wanted. */
export interface Asset<Text = string | Promise<string>> {
  readonly name: string;
  read(): Text;
}

/**
 * One function for each page. `language` is one of `languages`, and a page without it is English. `Html` is a promise if
 * the pages are loaded when the first one is shown.
 */
export interface Pages<Html = string | Promise<string>> {
  readonly assets: readonly Asset<Html>[];
  /** The languages of the pages as BCP 47 tags. The first one is the default. */
  readonly languages: readonly [string, ...string[]];
  /** The address of the dashboard's list of clients, if the server has a dashboard. */
  clientsUrl(): Promise<string | undefined>;
  home(props: HomeProps): Html;
  signIn(props: SignInProps, language: string): Html;
  accounts(props: AccountsProps, language: string): Html;
  /** A page that only one feature shows. Beside it stands the type of its name and its props. */
  ofFeature(page: { readonly name: string; readonly props: FormProps }, language: string): Html;
  consent(props: ConsentProps, language: string): Html;
  signOut(props: SignOutProps, language: string): Html;
  signedOut(props: SignedOutProps, language: string): Html;
  device(props: DeviceProps, language: string): Html;
  callback(props: CallbackProps): Html;
  walk(props: WalkProps): Html;
  refusal(props: RefusalProps, language: string): Html;
  formPost(props: FormPostProps, language: string): Html;
  webMessage(props: WebMessageProps, language: string): Html;
  resource(props: ResourceProps): Html;
}

export interface PersonSummary {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  /** The person has a password, so one click does not sign the person in. */
  readonly hasPassword: boolean;
}

export interface ClientSummary {
  readonly id: string;
  readonly name?: string;
  /** No operator has configured the client, so its name and id are not verified. */
  readonly isUnverified: boolean;
  /** Where the client itself chose its name and its links: in its registration, or in the document at its id. */
  readonly describesItselfIn?: "registration" | "document";
  /** The document is at another host, but all redirect URIs lead to the person's machine. */
  readonly answersOnLoopback?: true;
  /** Pages link to these URLs. They are http or https. */
  readonly links?: readonly { readonly kind: "site" | "policy" | "terms"; readonly url: string }[];
}

export interface HomeProps {
  readonly issuer: string;
  /** The clients and people. Absent by default if other machines can reach the server. */
  readonly configuration?: HomeConfiguration;
  /** The people who are signed in at this browser, and the address for their sign-out. */
  readonly signedIn?: { readonly people: readonly PersonSummary[]; readonly signOutUrl: string };
  readonly endpoints: readonly { readonly name: string; readonly url: string }[];
  /** The metadata document: a link for this page, and the full URL. */
  readonly metadata?: { readonly href: string; readonly url: string };
  /** The form of the settings for an application that the address names. */
  readonly settings?: string;
}

/** `device`: people sign in to the client with a code. */
export type FlowBlocker = "device" | "no_code_grant" | "no_redirect_uri";

export interface HomeConfiguration {
  readonly clients: readonly (ClientSummary & {
    /** The registered authentication method; `none` for a public client. */
    readonly authentication: string;
    readonly redirectUris: readonly string[];
    /** The client is not configured and was created by its first use. */
    readonly firstUse?: true;
    /** The link that starts a flow, and where the flow ends. Absent for a client that people cannot sign in to. */
    readonly start?: { readonly url: string; readonly endsAt: string; readonly endsHere: boolean };
    /** Why no link can start a flow of the client, if that is not clear from `requestsAs`. */
    readonly cannotStart?: FlowBlocker;
    /** How the client must send its requests, so that no link can start a flow: "pushed request". */
    readonly requestsAs?: readonly string[];
    /** Only for the demo clients, whose secret is published. */
    readonly demoSecret?: string;
  })[];
  readonly people: readonly PersonSummary[];
  /**
   * Whether an unknown client id whose redirect URI is on this machine becomes a client when a person approves it. `apps`:
   * also if the redirect URI has the scheme of an app.
   */
  readonly acceptsFirstUse: boolean | "apps";
  readonly automaticPerson?: string;
}

/** A page with a form. Its hidden field `request` holds the encrypted authorization request. */
export interface FormProps {
  readonly action: string;
  readonly request: string;
  readonly client: ClientSummary;
  /** The redirect URI that receives the answer. Absent: a page of this server shows the result. */
  readonly redirectUri?: string;
  /** The address at which GET shows this page again. It is needed because a page with a problem answers a POST. */
  readonly address?: string;
}

/** The sign-in page posts `request`, and `person` (one click), or `username` and `password`, or `decision=deny`. */
export interface SignInProps extends FormProps {
  readonly people: readonly PersonSummary[];
  /** The front page lists the people, so this page may say which usernames exist, and where passwords are. */
  readonly listsPeople?: true;
  /** The value of the username field: the client's hint, or the username of the failed attempt. */
  readonly username?: string;
  readonly problem?: SignInProblem;
  /** The address at which GET shows this page, if it has one. */
  readonly here?: string;
  /** The address at which the person makes an account. Absent: the server has no sign-up, or the request names a person. */
  readonly signUpUrl?: string;
}

/**
 * If the front page does not list the people, an unknown username that is typed is a `wrong_password`, because the page
 * must not say which names exist. `password_not_set`: the person signs in with one click.
 */
export type SignInProblem =
  | {
    readonly kind: "wrong_password" | "unknown_person" | "password_needed" | "password_not_set" | "disabled";
  }
  | { readonly kind: "too_many_attempts" | "busy"; readonly secondsToWait: number };

/** The account page posts `request`, and `account` (a username, empty for another person) or `decision=deny`. */
export interface AccountsProps extends FormProps {
  readonly people: readonly PersonSummary[];
}

/** The page before a sign-out posts `request`, and `decision=sign_out` or `decision=stay`. */
export interface SignOutProps {
  readonly action: string;
  readonly request: string;
  readonly people: readonly PersonSummary[];
  readonly client?: ClientSummary;
  readonly homeUrl: string;
}

/** What became of the message to a client that a sign-in has ended. `no_address`: the client takes no message. */
export type TellOutcome =
  | { readonly kind: "told" | "no_address" | "no_answer" | "not_allowed" }
  | { readonly kind: "refused"; readonly status: number };

export interface SignedOutProps {
  readonly told?: readonly { readonly client: ClientSummary; readonly outcome: TellOutcome }[];
  /** `not_signed_in`: no person was signed in. `stayed`: the person chose to stay signed in. */
  readonly outcome: "signed_out" | "not_signed_in" | "stayed";
  readonly homeUrl: string;
}

/**
 * The consent page posts `request`, and `decision=approve` or `decision=deny`. If scopes are optional, it also posts
 * `scope_choice=1`, and `scope` for each optional scope that the person grants. With optional lines, it posts
 * `line_choice=1`, and `line` for each one that the person grants.
 */
export interface ConsentProps extends FormProps {
  readonly person: PersonSummary;
  /** The program that usually opens links with the scheme of the redirect URI. Nothing proves that it does. */
  readonly program?: string;
  /** `words`: the configured description of the scope. */
  readonly scopes: readonly {
    readonly name: string;
    readonly words?: string;
    /** The client probably means several scopes. */
    readonly hasCommas?: boolean;
    /** The person may leave the scope out. */
    readonly isOptional?: boolean;
    /** The person left the scope out before. */
    readonly wasLeftOut?: boolean;
  }[];
  /** What else the request asks for. Without `heading`, the words of the pages have a heading of this name. */
  readonly rows?: readonly {
    readonly name: string;
    readonly heading?: string;
    readonly lines: readonly (string | OfferedLine)[];
  }[];
  readonly resources: readonly string[];
  /** Consent would be automatic if the request did not come from another site. */
  readonly fromAnotherSite?: boolean;
  /** The person approved the request, but left out all scopes. */
  readonly problem?: "no_scope_granted";
  /** Offers `decision=change_person`, which leads to the sign-in page of the same request. */
  readonly canChangePerson?: boolean;
}

/** Text in one language, or by the language of the pages. */
export type PageText = string | { readonly en: string; readonly de?: string };

/** A line of the consent page that the person may leave out. */
export interface OptionalLine {
  /** Each line of a row has another id. */
  readonly id: string;
  readonly title: PageText;
  readonly text: PageText;
}

export interface OfferedLine extends Omit<OptionalLine, "id"> {
  /** The value of `line` in the form. */
  readonly value: string;
}

/** The pages of a device login before and after the questions. */
export type DeviceProps = DeviceForm | DeviceEnd;

/** The form for the code that the device shows. It posts `user_code`. */
export interface DeviceForm {
  readonly action: string;
  /** The code that the address fills in. */
  readonly userCode?: string;
  readonly problem?: DeviceCodeProblem;
  readonly homeUrl: string;
}

export type DeviceCodeProblem =
  | { readonly kind: "no_code" | "wrong_code" | "expired_code" }
  | { readonly kind: "too_many_codes"; readonly secondsToWait: number };

export interface DeviceEnd {
  readonly outcome: "approved" | "denied";
  readonly client: ClientSummary;
  readonly homeUrl: string;
}

/** The callback page `/authorized` shows the outcome of step 1 and instructions for step 2. */
export type CallbackProps = CallbackFailure | CallbackSuccess;

/** The links of the callback page and of the pages that follow it. */
export interface CallbackLinks {
  readonly homeUrl: string;
  /** The link that starts a new flow. Absent if no client can start one. */
  readonly startUrl?: string;
  /** The `iss` of the authorization response (RFC 9207). */
  readonly responseIssuer?: string;
  /** The same, if it names another issuer than this page's server (RFC 9207 §2.4). */
  readonly foreignIssuer?: string;
  /** Present if the authorization response is a JWT (JARM). */
  readonly responseJwt?: ShownResponseJwt;
}

/** An authorization response that is a JWT. Only the client can decrypt an encrypted one. */
export type ShownResponseJwt = { readonly isEncrypted: true } | {
  readonly isEncrypted: false;
  readonly text: string;
  /** The header and the payload as JSON. */
  readonly jwt: { readonly header: string; readonly payload: string };
  readonly checks: readonly WalkTokenCheck[];
  /** A check fails, so a client must refuse the response. */
  readonly isRefused: boolean;
  /** Seconds since 1970. */
  readonly now: number;
};

export interface CallbackFailure extends CallbackLinks {
  readonly hasError: true;
  /** Absent if the address has neither a code nor an error. */
  readonly error?: string;
  readonly errorDescription?: string;
  readonly state?: string;
  /** The values that the server accepts where this error says that a value is wrong. */
  readonly accepted?: readonly string[];
  /** The request that opened this page: its path and query, and the id that its journal entry gets. */
  readonly own?: { readonly address: string; readonly entryId: string };
}

/** A command in pieces. A person replaces the placeholders. */
export type Command = readonly (string | { readonly placeholder: string })[];

export interface TokenExample {
  readonly method: string;
  readonly command: Command;
  /** The Authorization header that the command makes, if its values are known. */
  readonly authorization?: string;
}

export interface CallbackSuccess extends CallbackLinks {
  readonly hasError: false;
  readonly code: string;
  readonly state?: string;
  readonly tokenEndpoint: string;
  /** The URI of this page, which the token request must repeat. */
  readonly redirectUri: string;
  /** Present if the server issued the code and still has its grant. The examples show a placeholder otherwise. */
  readonly authentication?: string;
  readonly codeVerifier?: string;
  readonly examples: { readonly open: TokenExample; readonly confidential: TokenExample };
  /** Seconds since 1970. */
  readonly codeExpiresAt?: number;
  readonly now?: number;
  /** The code was redeemed before. */
  readonly codeUsed?: boolean;
  /** The server has not issued this code, or no longer knows it. */
  readonly codeUnknown?: boolean;
  /** Present if the server knows the code. */
  readonly client?: ClientSummary;
  /** Present if the person signed in at this browser. */
  readonly person?: PersonSummary;
  readonly scope?: readonly string[];
  /** The form that exchanges the code, or why the page cannot exchange it. */
  readonly exchange?: ExchangeForm | { readonly blocker: WalkBlocker };
  /** The page with the steps that were taken with this code. */
  readonly walkUrl?: string;
}

/**
 * The form posts `walk` and `step=exchange`. If the flow began elsewhere, it also posts `client_id`, `code_verifier` and
 * `client_secret`.
 */
export interface ExchangeForm {
  readonly action: string;
  readonly ticket: string;
  readonly clientId: string;
  readonly beganHere: boolean;
  readonly needsVerifier: boolean;
  readonly secret: SecretNeed;
}

/** Whether the person must type the client's secret. A client that has not authenticated yet may have a secret. */
export type SecretNeed = "needed" | "perhaps" | "not_needed";

/** The steps of a walk. Each sends one request of a client. */
export type WalkStepName =
  | "exchange"
  | "userinfo"
  | "refresh"
  | "introspect"
  | "revoke"
  | "call_api"
  | "replay_code"
  | "tamper_verifier"
  | "reuse_refresh_token";

/** Why a step is not possible now. */
export type WalkBlocker =
  | "assertion_client"
  | "bound_to_key"
  | "code_expired"
  | "code_used"
  | "no_access_token"
  | "no_api"
  | "no_old_refresh_token"
  | "no_openid"
  | "no_refresh_token"
  | "no_verifier"
  | "not_for_api"
  | "not_for_userinfo"
  | "not_offered"
  | "not_redeemed"
  | "public_client"
  | "too_many_steps";

export interface WalkRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: readonly Pair[];
  /** The parameters of the body. */
  readonly form?: readonly Pair[];
}

/** A request that the server sent to itself, and its response. A secret that the person typed is masked. */
export interface WalkCall {
  /** The id of its journal entry. */
  readonly id: string;
  readonly request: WalkRequest;
  readonly response: { readonly status: number; readonly headers: readonly Pair[]; readonly body: string };
}

export interface WalkStep {
  readonly name: WalkStepName;
  readonly takenAt: number;
  readonly call: WalkCall;
  /** The JWKS that the step read to check the signatures of its tokens. */
  readonly keys?: WalkCall;
  /** Requests that ask whether the tokens still work. */
  readonly proofs: readonly WalkCall[];
  /** The positions in `findTokens` of the tokens that worked before the step and do not work after it. */
  readonly ended: readonly number[];
}

export interface WalkToken {
  readonly kind: "access_token" | "refresh_token" | "id_token";
  readonly text: string;
  /** The number of the step that got the token, counted from 1. */
  readonly step: number;
}

/** `not_known`: the server does not recognise the text, for example because a misbehaviour changed the token. */
export type WalkTokenState = TokenLoss | "works" | "not_known";

export interface JudgedToken extends WalkToken {
  /** Absent for an ID token, which is read once and not presented. */
  readonly state?: WalkTokenState;
  readonly expiresAt?: number;
  /** Absent for a refresh token, which is for the server. */
  readonly audience?: readonly string[];
}

/** A check, and what it compared. `absent`: there is nothing to compare, and no rule asks for it here. */
export interface WalkTokenCheck {
  readonly name: TokenCheckName;
  readonly result: "passed" | "failed" | "absent";
  readonly expected?: string;
  readonly received?: string;
}

export interface DecodedToken {
  readonly kind: WalkToken["kind"];
  readonly text: string;
  /** The header and the payload as JSON. Absent if the token is not a JWT. */
  readonly jwt?: { readonly header: string; readonly payload: string };
  readonly checks: readonly WalkTokenCheck[];
}

export interface ShownStep extends WalkStep {
  readonly url: string;
  /** The tokens that the step got, if the page explains them. */
  readonly decoded?: readonly DecodedToken[];
}

/** A step that the person can take next, or why the page does not offer it. */
export interface WalkChoice {
  readonly name: WalkStepName;
  readonly blocker?: WalkBlocker;
  /** The token that the step would send, if the server would refuse it. */
  readonly ended?: Pick<JudgedToken, "kind" | "state">;
}

/** The page of a walk shows one step and, folded, the others. It posts `walk`, `step` (the name of the next one), and `client_secret`. */
export interface WalkProps extends CallbackLinks, Pick<ExchangeForm, "action" | "ticket" | "secret"> {
  readonly client: ClientSummary;
  readonly steps: readonly ShownStep[];
  /** The number of the shown step, counted from 1. */
  readonly number: number;
  /** All tokens, and whether each works now. `ended` of a step has positions in this list. */
  readonly tokens: readonly JudgedToken[];
  readonly scope: readonly string[];
  readonly now: number;
  readonly choices: readonly WalkChoice[];
  /** The audience of the newest access token. */
  readonly audience: readonly string[];
  /** The API of the server, and the link that starts a flow for it. */
  readonly api?: { readonly url: string; readonly startUrl?: string };
  /** The page with the code, where the exchange can be tried again. */
  readonly codeUrl?: string;
  /** The link that starts a flow with the second factor. Absent if the access token states it, or no person has one. */
  readonly stepUpUrl?: string;
}

/** A refusal that is not sent to the client, because its redirect URI is not verified, or a fault of the server. */
export interface RefusalProps extends Omit<Refusal, "error" | "reason" | "looksLike"> {
  readonly status: number;
  /** The OAuth error code. Absent if the protocol has no error code for the case. */
  readonly error?: string;
  /** The redirect URI that the answer is not sent to, because the client is not configured. */
  readonly wouldHaveGoneTo?: string;
  /** The change in the words of libraries. */
  readonly libraries?: LibraryHelp;
  /** The address that starts the same authorization request again. */
  readonly startAgainUrl?: string;
  /** The site of the client that has received the answer to the request. */
  readonly applicationUrl?: string;
  /** What programs send to the address that a person opened. A token request has other parameters for each grant type. */
  readonly programsSend?: {
    readonly header?: string;
    readonly type?: string;
    readonly forms: readonly { readonly grantType: string; readonly params: readonly string[] }[];
  };
  /** The address of the refused request. Present if it may succeed later. */
  readonly tryAgainUrl?: string;
  /** The refused request, if a browser opened its address. Absent for a form. */
  readonly sent?: SentRequest;
  /** The clients whose flows a link of this server starts, on the page of a link with another client. */
  readonly clients?: HomeConfiguration["clients"];
  /** The addresses that the server has, on the page of an address that it does not have. */
  readonly endpoints?: HomeProps["endpoints"];
  readonly exchangeId?: string;
  /** The id that the journal entry of the request gets. */
  readonly entryId?: string;
  readonly homeUrl: string;
}

/** Without an error it is an advice: the server answered the request. */
export type ShownRefusal = Advice & Partial<Pick<Refusal, "error">>;

export interface SentRequest {
  readonly path: string;
  readonly query: string;
}

/** A form that a script sends to the client (OAuth 2.0 Form Post Response Mode §2). */
export interface FormPostProps {
  readonly action: string;
  readonly params: readonly (readonly [name: string, value: string])[];
}

/** Parameters that a script sends to a window of this origin (OAuth 2.0 Web Message Response Mode). */
export interface WebMessageProps extends Pick<FormPostProps, "params"> {
  readonly origin: string;
}

/** The address of the demo API, opened in a browser, which sends no access token. */
export interface ResourceProps {
  /** The address of its metadata (RFC 9728). */
  readonly metadataUrl: string;
  /** The header WWW-Authenticate of this answer, which programs get, too. Absent after a call. */
  readonly challenge?: string;
  readonly call: Command;
  /** Every client must prove a key, so a call has a proof beside the token (RFC 9449 §7.1). */
  readonly needsProof: boolean;
  /** The link that starts a flow for a token of this API. Absent if no client can start one. */
  readonly startUrl?: string;
  /** The form posts `person`, whom a new token is for. `call`: the call with it. Without people there is no form. */
  readonly trial: {
    readonly action: string;
    readonly people: readonly PersonSummary[];
    readonly username?: string;
    readonly call?: WalkCall;
  };
  readonly homeUrl: string;
}
