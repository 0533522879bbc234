/** What a misbehaviour is: one way in which a server can be wrong, as data with the functions that make it wrong. */

import type { Jwk } from "../../ground/crypto/jwk.ts";
import type { SeamContext, SeamName, SeamValues } from "../../server/oauth/contracts/seams.ts";
import type { Claims, Members } from "../../ground/values/members.ts";
import type { Person } from "../../server/oauth/contracts/people.ts";
import type { LoginValue } from "./logins.ts";
import type { FutureTime, MisbehaviourName, PastTime } from "./names.ts";
import type { Need } from "./needs.ts";
import type { Find } from "./seen.ts";
import type { FindShown } from "./shown_values.ts";

/**
 * How strongly a standard obliges the client. `must` and `should`: the rule says that the client has to notice, with
 * this word. `tolerate`: the server is unusual, and the rule says that the client goes on. `robustness`: a correct client
 * goes on, but no rule says so. `hardening`: it is wise to notice, but no rule obliges the client to it.
 */
export type Level = "must" | "should" | "tolerate" | "robustness" | "hardening";

/** The levels, the strongest first. */
export const levels: readonly Level[] = ["must", "should", "tolerate", "robustness", "hardening"];

/** The levels at which a correct client goes on. At the others, it notices. */
export type Tolerance = "tolerate" | "robustness";

export function isTolerance(level: Level): level is Tolerance {
  return level === "tolerate" || level === "robustness";
}

/** Whether no rule obliges the client, so that what it does otherwise is no failure. */
export function isAdvice(level: Level): boolean {
  return level === "robustness" || level === "hardening";
}

/** Returns for example "A correct client refuses the ID token." No rule demands hardening, so there it is a careful one. */
export function describeAction(
  { level, client }: { readonly level: Level; readonly client: string },
  reader: "client" | "API",
): string {
  const quality = level === "hardening" ? "careful" : "correct";
  return `A ${quality} ${reader} ${client.charAt(0).toLowerCase()}${client.slice(1)}`;
}

/** The part of a client's work in which it meets the misbehaviour. */
export type Phase = "login" | "refresh" | "call_api" | "logout" | "register";

export const phases: readonly Phase[] = ["login", "refresh", "call_api", "logout", "register"];

/** A misbehaviour without its name, which is its key in the file of its area. */
export interface Misbehaviour {
  readonly level: Level;
  readonly phase: Phase;
  /** One sentence: what the server does. "The ID token has the alg none and no signature." */
  readonly server: string;
  /** One sentence: what a correct client does. "Refuses the ID token." */
  readonly client: string;
  /** The rule with its section: "OpenID Connect Core §3.1.3.7 (7)". */
  readonly rule: string;
  /** What a client has to do to meet the misbehaviour, if not every client does it. */
  readonly needs?: readonly Need[];
  /** Public reports of bugs that this misbehaviour would have shown: "LibreChat#12266". */
  readonly bugs?: readonly string[];
  /** How an API must answer. Present if the misbehaviour is a faulty access token, proof or certificate. */
  readonly api?: ApiAnswer;
  /**
   * Creates DPoP proofs of requests with one token, in order. The last one is wrong. `undefined`: a bearer token. None: the
   * request cannot have the fault, and `lacks` says why.
   */
  readonly proofs?: (proof: ProofParts) => Promise<readonly (string | undefined)[]>;
  /** Why no proof can have the fault. */
  readonly lacks?: string;
  /** True if the token of the proofs is bound to no key. */
  readonly isUnbound?: true;
  /** Returns another thumbprint than that of the key, to which the token of the proofs is bound. `undefined`: the right one. */
  readonly bindsTo?: (thumbprint: string, variant: string | undefined) => string | undefined;
  /** What a request to an API shows instead of the certificate that its token is bound to. */
  readonly certificate?: "none" | "other";
  /** The value that a client creates for each login. Present if the server is right, and the client is judged by its logins. */
  readonly repeats?: LoginValue;
  /** Compares the accounts that runs name. Present if the server is right. */
  readonly accounts?: AccountTest;
  /** Finds what a client shows of itself. Present if the server is right, and the usual runs of the client decide. */
  readonly shows?: FindShown;
  /** A thorough examination shows `shows` many logins, too. */
  readonly isCounted?: true;
  /** Checks that the server leaves out while the misbehaviour is on. */
  readonly settings?: LaxSettings;
  /**
   * The right variant of an answer that clients seldom see: another misbehaviour, where a correct client goes on, or
   * "itself", which prepares the same and then answers rightly. A refusal proves something only of a client that goes on
   * there. Default: "itself" for a misbehaviour with `settings`, and otherwise the run of the client without a fault.
   */
  readonly control?: MisbehaviourName | "itself";
  /**
   * The misbehaviour whose first variant is another value altogether. A client that notices it, and is unharmed by what
   * resembles the right value, compares a part of the value.
   */
  readonly resembles?: MisbehaviourName;
  /** The paths of the issuer and of the API in an examination. Absent: none, and "/orders". Empty: an origin without a slash. */
  readonly paths?: { readonly issuer?: string; readonly api?: string };
  /** Adds to the address of the first page that `visit` opens, as a link of an attacker does. */
  readonly changePage?: (page: URL, tools: Pick<Tools, "variant" | "otherServer">) => void;
  /** Only a page of the client shows that it is right. */
  readonly isShownByPage?: true;
  /** Another browser begins a login first, and does not end it. */
  readonly isBegunElsewhere?: true;
  /** The answer has megabytes. They may keep the process of the client busy, so no other run is beside this one. */
  readonly isLarge?: true;
  /** Seams at which a change only prepares the fault: it is no wrong answer yet, and no limit applies there. */
  readonly prepares?: readonly SeamName[];
  readonly watch: Watch;
  readonly acts: CreateActs;
}

/** A person as a test configures one. The `sub` is the username by default. */
export interface ConfiguredPerson {
  readonly username: string;
  readonly sub?: string;
  readonly claims?: Claims;
}

/** Two people log in at once, or a third one resembles the first or the second one. */
export type AccountTest =
  | "at_once"
  | ((
    first: ConfiguredPerson,
    variant: string | undefined,
    second: ConfiguredPerson,
  ) => Omit<ConfiguredPerson, "username">);

/** The answer that an API must give to a faulty access token. */
export interface ApiAnswer {
  /** 200 if the API has to accept the token, because it is only unusual. */
  readonly status: 200 | 401 | 403;
  /** The error code in the challenge. Absent if the API has to accept the token. */
  readonly error?:
    | "invalid_token"
    | "insufficient_scope"
    | "insufficient_user_authentication"
    | "invalid_dpop_proof"
    | "use_dpop_nonce";
  /** Another error code that is right, too. */
  readonly otherError?: "invalid_dpop_proof";
  /**
   * The check that detects the fault. `verification` checks the issuer, the audience, the signature and the times.
   * `scope` checks the scope, and `authentication` when and how the person signed in. `server` means that the API must
   * ask the server by introspection. `proof` checks the DPoP proof, or the certificate of the connection.
   */
  readonly seenBy?: "verification" | "scope" | "authentication" | "server" | "proof";
  /** True if the aud is the issuer. For an API whose name is the issuer, this is no fault. */
  readonly isForIssuer?: true;
  /** The claim that the API has to need, because other APIs rightly accept the token. */
  readonly claim?: "acr" | "auth_time";
  /** True if the token has a character that no token may have, so that 400 with `invalid_request` is right, too (RFC 6750 §2.1). */
  readonly isMalformed?: true;
  /** True if a correct API may refuse the token, too. */
  readonly mayRefuse?: true;
  /** True if the API must not fail, so that a status of 500 or more is wrong and does not count as a refusal. */
  readonly mustNotFail?: true;
  /**
   * The server publishes the key of the token only for the time of the row, and an API has to load the keys so often, or the
   * row is not judged. Absent: the key is published from the beginning of the examination.
   */
  readonly loads?: number;
  /** True if the API gets a token that names the other server, so that this one has to answer. */
  readonly namesOtherServer?: true;
  /** True if the HTTP server of the API may refuse a header of this length, so that its application gets none. */
  readonly mayBeTooLong?: true;
  /** How many such tokens the API gets, one after the other. It may load the keys for a few of them only. Absent: one. */
  readonly times?: number;
  /** True if a correct API answers as to another person, so that the answers to several people are compared. */
  readonly isOfAnotherPerson?: true;
  /** True if an API gets the token while it is valid, and again after its end. */
  readonly endsAfterUse?: true;
  /**
   * True if an opaque token can have the fault, too. A function writes the wrong token, after the API has got the right one.
   * Absent: the fault is in a part of a JWT.
   */
  readonly opaque?: true | ((token: string, variant: string | undefined) => string);
}

/** A right DPoP proof in parts (RFC 9449 §4.2). */
export interface ProofParts {
  /** One of the variants of the misbehaviour. Absent if it has none. */
  readonly variant?: string;
  readonly header: Members;
  readonly claims: Claims;
  readonly privateJwk: Jwk;
  /** Signs with ES256 and the key of the proof, or with the private JWK `key`. */
  sign(header: Members, claims: Claims, key?: Jwk): Promise<string>;
}

/** Changes of the configuration while a misbehaviour is on. */
export interface LaxSettings {
  readonly server?: Members;
  /** Members of client metadata, for the client that the misbehaviour is for, or for all clients. */
  readonly client?: Members;
}

/** How the requests of a client show whether it noticed. */
export interface Watch {
  /** Finds requests that a correct client never sends after the server has misbehaved. One of them: it was fooled. */
  readonly never?: Find;
  /** What they show, after "The client": "refreshed twice at once". Default: the names of the requests. */
  readonly neverSays?: string;
  /** A correct client sends them if PKCE or a nonce protects the login, with a value that no other login has (RFC 9700 §2.1). */
  readonly unlessProtected?: true;
  /** A correct client sends them, too, if it refuses afterwards: the nonce comes with the answer to the code. */
  readonly unlessRefused?: true;
  /** Finds requests that a client without a check sends. If the server refuses them, the client has not. */
  readonly trusts?: Find;
  /** Finds requests that only a client which noticed sends, or, where a correct client goes on, only one that went on. */
  readonly sign?: Find;
  /** What the sign shows, after "The client": "sent code_challenge_method=S256". Default: the names of the requests. */
  readonly signSays?: string;
  /** What a client that refused did rightly, after "The client": "did not send the code again". */
  readonly refusalSays?: string;
  /** The client may succeed and still be wrong, or refuse for another reason. Then only requests prove something. */
  readonly wordProvesNothing?: true;
  /** The client may load the keys seldom. What it does proves something only after it has loaded the changed ones. */
  readonly mayKeepKeys?: true;
  /** The application around the client may swallow the refusal of its client. Then its success proves nothing. */
  readonly successProvesNothing?: true;
  /** Finds requests that show that the test kit met the fault instead of the client, such as a refusal by its API. */
  readonly elsewhere?: Find;
  /** A fooled client may send no further request. Then its own success is the evidence that it was fooled. */
  readonly invisible?: true;
  /** A timeout of the client counts as a refusal, because the server does not answer. */
  readonly timeoutIsRefusal?: true;
  /** A network error of the client counts as a refusal, because the server breaks the connection. */
  readonly lossIsRefusal?: true;
}

/** Creates the functions that change what the server says. Their state lasts as long as the misbehaviour is on. */
export type CreateActs = (tools: Tools) => Acts;

/** One function at most for each seam. Returning the same value means that the server did not misbehave. */
export type Acts = { readonly [N in SeamName]?: Act<N> };

export type Act<N extends SeamName> = (
  value: SeamValues[N],
  at: ActContext,
) => SeamValues[N] | Promise<SeamValues[N]>;

export interface ActContext extends Omit<SeamContext, "acted"> {
  /** The name of the endpoint of the request: "token". An API is "resource". */
  readonly endpoint: string;
  /** The client gets no response: its connection breaks after the server has done its work. */
  drop(): void;
  /** The client gets no response until the misbehaviour is switched off. This counts as a wrong answer immediately. */
  withhold(): Promise<void>;
}

/** The faults that publish a key of their own. */
export type PublishedKeyName =
  | "hs256_alg_unpublished"
  | "kid_missing"
  | "key_use_enc"
  | "key_operations_other"
  | "key_alg_other"
  | "key_alg_signatures"
  | "key_replaced"
  | "key_withdrawn";

export interface Tools {
  /** One of its variants. Absent if the misbehaviour has none. */
  readonly variant?: string;
  readonly issuer: string;
  /** The base URL of another server. It answers every request, and its requests have the endpoint "decoy". */
  readonly otherServer: string;
  /** The origins at which the server answers besides its own. */
  readonly also: readonly string[];
  /** The time of the server in seconds since 1970. */
  now(): number;
  /** A time in the past, or in the future, by every clock of the test and the machine. */
  findPast(when?: PastTime): number;
  findFuture(when?: FutureTime): number;
  findPerson(subject: string): Person | undefined;
  /** An API gets this token before the one with the fault. A client does not. */
  sendFirst(token: string): void;
  /** Revokes an access token at the server, although the client gets it. */
  revoke(accessToken: string): Promise<void>;
  /** Returns a private key that the server does not publish. */
  foreignKeyFor(alg: string): Jwk;
  /** Returns a private key of `name` alone. The server publishes it for the time of the misbehaviour. */
  publishedKeyFor(name: PublishedKeyName, alg: string): Jwk;
  /** Waits in real time. Ends early when the misbehaviour is switched off. */
  wait(seconds: number): Promise<void>;
  /** Resolves when the misbehaviour is switched off. A function that waits for it never answers before. */
  readonly switchedOff: Promise<void>;
}
