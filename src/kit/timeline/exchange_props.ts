/** The parts of an exchange that pages and files show. The values hold secrets only for a page that may show them. */

import type { RequestOutcome } from "./request_outcome.ts";
import type { Cause } from "../../server/pages/pages_options.ts";
import type { NamedValue, ShownValue, TokenPart } from "../../server/pages/token/token_props.ts";
import type { LevelName, Reader } from "./levels_english.ts";

export interface RelatedExchange {
  readonly relation: Relation;
  readonly id: string;
  /** Seconds from the arrival of the other exchange to the arrival of this one, by the server's clock. */
  readonly before: number;
  /** How many seconds the clock was turned between the two exchanges. Absent if it ran as usual. */
  readonly turned?: number;
  readonly overlaps?: true;
}

/**
 * `verifier_of`: the authorization request to which the verifier belongs. `used_first`: the first request with the same
 * code or token. `ended`: what ended the code or the token. `issued`: the response with the code or the token.
 * `authorization`: the authorization request of the flow. `other_login`: a login of the same client that began meanwhile.
 * `same_client`: the last request for which the same client was authenticated. `step_up_of`: the challenge of an API that
 * the login answers (RFC 9470).
 */
export type Relation =
  | "verifier_of"
  | "used_first"
  | "ended"
  | "issued"
  | "authorization"
  | "other_login"
  | "same_client"
  | "step_up_of";

export type ShownRefusal = NonNullable<Cause["refusal"]>;

/** The arithmetic of PKCE: S256(verifier) and the challenge (RFC 7636 §4.6). */
export interface PkceSum {
  readonly verifier?: ShownValue;
  /** BASE64URL(SHA256(verifier)). */
  readonly hash?: string;
  readonly challenge?: string;
  readonly challengeId?: string;
}

/** A comparison that a client or an API must make itself. */
export interface ClientCheck {
  readonly name: CheckName;
  /** `undefined`: there is nothing to compare, because the client asked for nothing, or the journal lacks its request. */
  readonly isMet: boolean | undefined;
  /** The value that the client expects, for example the nonce that it sent. Absent if it asked for none. */
  readonly expected?: ShownValue;
  /** Absent if the response has none. */
  readonly received?: ShownValue;
  readonly rule: string;
}

/** `policy`: the server. The last two: a parameter of the request. */
export type FactorReason = "policy" | "person" | "client" | "claims" | "acr_values";

/** The checks of an ID token that the page has words for, in its order. */
export const ofIdToken = ["iss", "aud", "nonce", "acr", "auth_time", "at_hash", "alg", "iat", "exp"] as const;

export type CheckName = (typeof ofIdToken)[number] | "state" | "response_iss" | "access_token_aud";

/** What the catalogue of misbehaviours says about a wrong or unusual answer. Its texts are English. */
export interface Remark {
  readonly name: string;
  /** The comparison that fails. Absent if a misbehaviour is known to have changed the answer. */
  readonly check?: CheckName;
  readonly level: LevelName;
  readonly reader: Reader;
  /** The reader goes on, because the answer is only unusual. */
  readonly isUnusual: boolean;
  readonly server: string;
  /** What a reader does, in a sentence: "A correct client refuses the ID token." */
  readonly action: string;
  readonly rule: string;
}

export interface ShownMessage {
  /** The query, or the parameters in the address to which the response redirects. */
  readonly parameters: readonly NamedValue[];
  /** The parameters of a form, or the members of a JSON object. */
  readonly body: readonly NamedValue[];
  /** The lines of the JSON object. */
  readonly json?: TokenPart;
  readonly headers: readonly NamedValue[];
  /** The number of characters of a body that is not shown, such as a page. */
  readonly hiddenBody?: number;
  /** How many values were left out, so that the page stays small. */
  readonly omitted?: number;
}

/** The short form, for lists. */
export interface ExchangeLine {
  readonly id: string;
  readonly endpoint: string;
  readonly grantType?: string;
  readonly method: string;
  /** The path, or the URL of an API. */
  readonly target: string;
  /** `browser`, the client id, or absent. */
  readonly sender: { readonly kind: "browser" | "client"; readonly client?: string };
  readonly person?: string;
  /** Seconds since 1970, by the server's clock. */
  readonly at: number;
  readonly duration: number;
  /** Seconds since the exchange before in the same group. Absent for the first one. */
  readonly since?: number;
  /** How many seconds the clock was turned since the exchange before. */
  readonly turned?: number;
  /** How many seconds the server's clock was ahead of real time. Absent if both agreed. */
  readonly clockAhead?: number;
  /** Absent if the test answers the request itself. */
  readonly status?: number;
  readonly outcome: RequestOutcome;
  /** The server handled the request, but the client did not get the response. */
  readonly isLost?: true;
  readonly refusal?: ShownRefusal;
  readonly advice?: ShownRefusal;
  readonly hints: readonly RefusalHint[];
  readonly altered: readonly { readonly seam: string; readonly by: string }[];
  /** A misbehaviour made the answer one that a reader has to refuse or should notice. */
  readonly isWrong?: true;
  readonly failedChecks: readonly CheckName[];
  /** What a client or an API has to make of the answer, the most binding first. */
  readonly remarks: readonly Remark[];
  /** What a browser gets. */
  readonly result?: BrowserResult;
  /** The earlier exchange whose refusal has this one as its consequence. */
  readonly follows?: string;
  readonly tags: readonly string[];
}

/**
 * `sign_in`, `sign_up`, `account`, `second_factor` and `consent`: a question to the person. `page`: another page. `next`:
 * the address of the next question. `code` and `error`: a redirect to the client.
 */
export type BrowserResult =
  | "page"
  | "sign_in"
  | "sign_up"
  | "account"
  | "second_factor"
  | "consent"
  | "next"
  | "code"
  | "error";

/** What other requests say about a refusal. */
export interface RefusalHint {
  readonly kind: HintKind;
  /** In seconds. */
  readonly times?: readonly number[];
  readonly text?: string;
}

/**
 * `challenge_unknown`: no login in the journal has the challenge that belongs to the verifier. `resource_missing`: the
 * token was requested without a resource. `resource_to_add`: likewise, and `text` is the resource. `clock_turned`: the
 * clock was turned ahead by the first of the times since the value was issued, and the second of the times passed
 * besides. `clock_alone`: likewise, and the value would not have expired otherwise. `used_at_once`: the first request
 * was answered just before this one arrived. `code_kept` and `refresh_kept`: the first request was answered at least a
 * second before. `refresh_raced`: both requests ran at the same time. `assertion_sent_before`: an earlier request had
 * the same client_assertion. `assertion_behind` and `assertion_ahead`: its iat differs from the server's clock by the
 * time, as in another time zone.
 */
export type HintKind =
  | "challenge_unknown"
  | "resource_missing"
  | "resource_to_add"
  | "clock_turned"
  | "clock_alone"
  | "used_at_once"
  | "code_kept"
  | "refresh_kept"
  | "refresh_raced"
  | "assertion_sent_before"
  | "assertion_behind"
  | "assertion_ahead";

/** The exchanges of a flow in short, or of exchanges that belong to no flow. */
export interface GroupSummary {
  readonly flow?: string;
  readonly client?: string;
  readonly person?: string;
  readonly count: number;
  readonly refused: number;
  readonly failed: number;
}

/** The long form, for the page of one exchange. */
export interface ShownExchange extends ExchangeLine {
  readonly trace?: { readonly traceId: string; readonly parentId: string };
  readonly clientAuth?: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly arrivedBy: readonly string[];
  readonly provenKey?: string;
  /** What wanted the second factor that the page in the response asks for. */
  readonly factorReason?: FactorReason;
  readonly rpc: readonly string[];
  /** The name of the error that the server or a hook threw. */
  readonly fault?: string;
  readonly notified: readonly { readonly client: string; readonly result: string }[];
  readonly related: readonly RelatedExchange[];
  readonly pkce?: PkceSum;
  readonly checks: readonly ClientCheck[];
  readonly request: ShownMessage;
  readonly response: ShownMessage;
  readonly copies: readonly RequestCopy[];
}

export interface RequestCopy {
  readonly kind: "curl" | "fetch" | "http";
  readonly text: string;
}
