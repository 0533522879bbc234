/** What the engine asks of whoever draws its pages: pure functions of plain values to a whole HTML document. */

/** A file that the pages load from their own origin. */
export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** `Html` is a promise where pages are loaded only once somebody looks at one. */
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

/** Makes the pages for one server; `assetUrl` says where that server has put an asset. */
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
  /** Nobody configured this client: it is here because somebody used its id for the first time. */
  readonly firstUse: boolean;
}

export interface HomeProps {
  readonly issuer: string;
  /** Absent where other machines can reach the server, unless it was asked for. */
  readonly configuration?: HomeConfiguration;
  /** Who is signed in at this browser, and where they can sign out. */
  readonly signedIn?: { readonly people: readonly PersonSummary[]; readonly signOutUrl: string };
  readonly endpoints: readonly { readonly name: string; readonly url: string }[];
  /** Where a client library reads all of this: a link on this page, and the address in full. */
  readonly metadata?: { readonly href: string; readonly url: string };
}

/** Who may use the server. */
export interface HomeConfiguration {
  readonly clients: readonly (ClientSummary & {
    /** `none`, or the registered method. */
    readonly authentication: string;
    readonly redirectUris: readonly string[];
    /** Starts a whole flow. Absent: none can, because people cannot sign in to this client. */
    readonly start?: { readonly url: string; readonly endsAt: string; readonly endsHere: boolean };
    /** Only for the demo clients, whose secret is no secret. */
    readonly demoSecret?: string;
  })[];
  readonly people: readonly PersonSummary[];
  /** An unknown client id with a loopback redirect URI becomes a client when a person approves it. */
  readonly acceptsFirstUse: boolean;
  /** Sign-in and consent answer by themselves; then this names the person who is signed in. */
  readonly automaticPerson?: string;
}

/** A page that posts back: the request as it came, sealed, in one hidden field called `request`. */
export interface FormProps {
  readonly action: string;
  readonly request: string;
  readonly client: ClientSummary;
  readonly redirectUri: string;
}

/** Posts `request` and either `person` (one click), or `username` and `password`, or `decision=deny`. */
export interface SignInProps extends FormProps {
  readonly people: readonly PersonSummary[];
  /** Fills the name field: what the client hinted, or what was typed before. */
  readonly username?: string;
  readonly problem?: SignInProblem;
  /** A page with a problem answers a POST. A GET of this address shows the same page without the problem. */
  readonly address?: string;
}

/** A password is told to be wrong also where nobody has the name: the page must not say which names exist. */
export type SignInProblem =
  | { readonly kind: "wrong_password" | "unknown_person" }
  | { readonly kind: "too_many_attempts" | "busy"; readonly secondsToWait: number };

/** Several people are signed in: posts `request` and `account` (a username), `account=` for somebody else, or `decision=deny`. */
export interface AccountsProps extends FormProps {
  readonly people: readonly PersonSummary[];
}

/** Asks before anybody is signed out: posts `request` and `decision=sign_out` or `decision=stay`. */
export interface SignOutProps {
  readonly action: string;
  readonly request: string;
  readonly people: readonly PersonSummary[];
  /** Who asked for it, if that is known. */
  readonly client?: ClientSummary;
  readonly homeUrl: string;
}

export interface SignedOutProps {
  /** Nobody was signed in, or whoever was asked said no. */
  readonly outcome: "signed_out" | "nobody" | "stayed";
  readonly homeUrl: string;
}

/** Posts `request` and `decision=approve` or `decision=deny`. */
export interface ConsentProps extends FormProps {
  readonly person: PersonSummary;
  /** `words` where somebody described the scope. */
  readonly scopes: readonly { readonly name: string; readonly words?: string }[];
  /** Single facts about the person, asked for by name. */
  readonly claims?: readonly string[];
  readonly resources: readonly string[];
  /** Consent would have been automatic, had the request not come from another site. */
  readonly fromAnotherSite?: boolean;
  /** Offers `decision=change_person`, which the engine answers with the sign-in page for the same request. */
  readonly canChangePerson?: boolean;
}

/** The client's callback page `/authorized`: the outcome of step 1 and instructions for step 2. */
export type CallbackProps = CallbackFailure | CallbackSuccess;

interface CallbackLinks {
  readonly homeUrl: string;
  /** Absent: there is no client that could start. */
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
  /** The URI this page was reached at: the token request must repeat it. */
  readonly redirectUri: string;
  /** Known when the code is ours and alive; each absent member becomes a placeholder in the examples. */
  readonly clientId?: string;
  readonly authentication?: string;
  /** Only for the demo clients, whose secret is no secret. */
  readonly demoSecret?: string;
  readonly codeVerifier?: string;
  /** How many seconds the server's codes live. */
  readonly codeLifetime?: number;
  /** Seconds since 1970. */
  readonly codeExpiresAt?: number;
  readonly now?: number;
  /** The code has been exchanged before. */
  readonly codeUsed?: boolean;
  /** The page can tell which codes were given, and this is none of them. */
  readonly codeUnknown?: boolean;
}

/** A refusal that must stay here because nobody is trusted to receive it, or a fault of ours. */
export interface RefusalProps {
  readonly status: number;
  /** The OAuth code; absent where the protocol wants none on the page. */
  readonly error?: string;
  readonly description: string;
  /** The rule that was broken. */
  readonly spec?: string;
  readonly expected?: string;
  readonly received?: string;
  /** Where the answer would have gone, had the client been configured. */
  readonly wouldHaveGoneTo?: string;
  /** A ready piece of configuration that would have allowed it. */
  readonly remedy?: string;
  /** Starts the same authorization request anew. */
  readonly startAgainUrl?: string;
  readonly exchangeId?: string;
  readonly homeUrl: string;
}

/** OAuth 2.0 Form Post Response Mode §2: a form that sends itself to the client. */
export interface FormPostProps {
  readonly action: string;
  readonly params: readonly (readonly [name: string, value: string])[];
}
