/** The pages as the steps see them: pure functions from plain values to a whole HTML document. */

/** A file that the pages load from the server. */
export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** `Html` is a promise where the pages are loaded when the first of them is shown. */
export interface Pages<Html = string | Promise<string>> {
  readonly assets: readonly Asset[];
  home(props: HomeProps): Html;
  signIn(props: SignInProps): Html;
  accounts(props: AccountsProps): Html;
  consent(props: ConsentProps): Html;
  signOut(props: SignOutProps): Html;
  signedOut(props: SignedOutProps): Html;
  callback(props: CallbackProps): Html;
  refusal(props: RefusalProps): Html;
  formPost(props: FormPostProps): Html;
}

/** Makes the pages for one server; `assetUrl` gives the URL of an asset on that server. */
export type CreatePages = (at: { readonly assetUrl: (name: string) => string }) => Pages;

export interface PersonSummary {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  /** Has a password, so one click is not enough. */
  readonly hasPassword: boolean;
}

export interface ClientSummary {
  readonly id: string;
  readonly name?: string;
  /** No operator has configured it: the client itself says what it is. */
  readonly isUnverified: boolean;
}

export interface HomeProps {
  readonly issuer: string;
  /** Absent by default where other machines can reach the server. */
  readonly configuration?: HomeConfiguration;
  /** The people who are signed in at this browser, and where they can sign out. */
  readonly signedIn?: { readonly people: readonly PersonSummary[]; readonly signOutUrl: string };
  readonly endpoints: readonly { readonly name: string; readonly url: string }[];
  /** The metadata document: a link for this page, and the full URL. */
  readonly metadata?: { readonly href: string; readonly url: string };
}

/** The clients and people of the server. */
export interface HomeConfiguration {
  readonly clients: readonly (ClientSummary & {
    /** `none`, or the registered method. */
    readonly authentication: string;
    readonly redirectUris: readonly string[];
    /** A first use made it. */
    readonly firstUse?: true;
    /** Starts a flow. Absent for a client that people cannot sign in to. */
    readonly start?: { readonly url: string; readonly endsAt: string; readonly endsHere: boolean };
    /** Only for the demo clients, whose secret is published. */
    readonly demoSecret?: string;
  })[];
  readonly people: readonly PersonSummary[];
  /** An unknown client id with a loopback redirect URI becomes a client when a person approves it. */
  readonly acceptsFirstUse: boolean;
  /** The person whom automatic sign-in signs in. */
  readonly automaticPerson?: string;
}

/** A page with a form. Its hidden field `request` holds the sealed authorization request. */
export interface FormProps {
  readonly action: string;
  readonly request: string;
  readonly client: ClientSummary;
  /** Where the answer goes. Absent: it stays here, on a page. */
  readonly redirectUri?: string;
}

/** Posts `request` and either `person` (one click), or `username` and `password`, or `decision=deny`. */
export interface SignInProps extends FormProps {
  readonly people: readonly PersonSummary[];
  /** Fills the name field: the hint of the client, or the name of the failed attempt. */
  readonly username?: string;
  readonly problem?: SignInProblem;
  /** Where a GET shows the same page. A page with a problem is the answer to a POST. */
  readonly address?: string;
}

/** An unknown name is shown as a wrong password, too: the page must not say which names exist. */
export type SignInProblem =
  | { readonly kind: "wrong_password" | "unknown_person" }
  | { readonly kind: "too_many_attempts" | "busy"; readonly secondsToWait: number };

/** Several people are signed in: posts `request` and `account` (a username, empty for another person), or `decision=deny`. */
export interface AccountsProps extends FormProps {
  readonly people: readonly PersonSummary[];
}

/** Asks before the people are signed out: posts `request` and `decision=sign_out` or `decision=stay`. */
export interface SignOutProps {
  readonly action: string;
  readonly request: string;
  readonly people: readonly PersonSummary[];
  /** The client that asks for the sign-out, if it is known. */
  readonly client?: ClientSummary;
  readonly homeUrl: string;
}

export interface SignedOutProps {
  /** `not_signed_in`: no person was signed in. `stayed`: the person chose to stay signed in. */
  readonly outcome: "signed_out" | "not_signed_in" | "stayed";
  readonly homeUrl: string;
}

/** Posts `request` and `decision=approve` or `decision=deny`. */
export interface ConsentProps extends FormProps {
  readonly person: PersonSummary;
  /** `words`: the configured description of the scope. */
  readonly scopes: readonly { readonly name: string; readonly words?: string }[];
  /** Single claims about the person that the request asks for by name. */
  readonly claims?: readonly string[];
  readonly resources: readonly string[];
  /** Consent would be automatic if the request did not come from another site. */
  readonly fromAnotherSite?: boolean;
  /** Offers `decision=change_person`, which leads to the sign-in page of the same request. */
  readonly canChangePerson?: boolean;
}

/** The client's callback page `/authorized`: the outcome of step 1 and instructions for step 2. */
export type CallbackProps = CallbackFailure | CallbackSuccess;

interface CallbackLinks {
  readonly homeUrl: string;
  /** Absent when no client can start a flow. */
  readonly startUrl?: string;
  /** The response names another issuer than this page's server (RFC 9207 §2.4). */
  readonly foreignIssuer?: string;
}

export interface CallbackFailure extends CallbackLinks {
  readonly hasError: true;
  readonly error: string;
  readonly errorDescription?: string;
}

export interface CallbackSuccess extends CallbackLinks {
  readonly hasError: false;
  readonly code: string;
  readonly state?: string;
  readonly tokenEndpoint: string;
  /** The URI of this page: the token request must repeat it. */
  readonly redirectUri: string;
  /** Known when the server issued the code and has its grant. The examples show a placeholder for each absent member. */
  readonly clientId?: string;
  readonly authentication?: string;
  /** Only for the demo clients, whose secret is published. */
  readonly demoSecret?: string;
  readonly codeVerifier?: string;
  /** The lifetime of codes in seconds. */
  readonly codeLifetime?: number;
  /** Seconds since 1970. */
  readonly codeExpiresAt?: number;
  readonly now?: number;
  /** The code has been exchanged before. */
  readonly codeUsed?: boolean;
  /** The server has not issued this code, or has forgotten it. */
  readonly codeUnknown?: boolean;
}

/** A refusal that is not sent to the client, because its redirect URI is not verified, or a fault of the server. */
export interface RefusalProps {
  readonly status: number;
  /** The OAuth error code; absent where the protocol has none. */
  readonly error?: string;
  readonly description: string;
  /** The rule that was broken. */
  readonly spec?: string;
  readonly expected?: string;
  readonly received?: string;
  /** The redirect URI that the answer is not sent to, because the client is not configured. */
  readonly wouldHaveGoneTo?: string;
  /** Configuration that allows the request, ready to paste. */
  readonly remedy?: string;
  /** Starts the same authorization request again. */
  readonly startAgainUrl?: string;
  readonly exchangeId?: string;
  readonly homeUrl: string;
}

/** OAuth 2.0 Form Post Response Mode §2: a form that sends itself to the client. */
export interface FormPostProps {
  readonly action: string;
  readonly params: readonly (readonly [name: string, value: string])[];
}
