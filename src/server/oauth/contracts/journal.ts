/** The journal has one entry for each exchange. The console and the test kit show the entries in other forms. */

import type { Trace } from "../../../ground/http/trace.ts";

/** Why the server refused a request. */
export interface Refusal {
  /** The error code that clients see, for example `invalid_grant`. */
  readonly error: string;
  /** The exact cause, for example `verifier_wrong`. */
  readonly reason: string;
  /** The cause in a sentence. */
  readonly description: string;
  /** The rule, for example `RFC 7636 §4.6`. */
  readonly spec?: string;
  /** What would be right. */
  readonly expected?: string;
  /** The client's registered redirect URIs, with which `expected` begins. Only if the redirect URI is refused. */
  readonly redirectUris?: readonly string[];
  /** What the server received. Absent if it may be a secret. */
  readonly received?: string;
  /** The one change of the request with which the server would have accepted it. */
  readonly change?: string;
  /** The library that the request looks like, with the line to write: `Flask-Dance 7.1: use_pkce=True`. */
  readonly looksLike?: string;
  /** What the server could be told instead, and what it gives up then. Absent: it gives up nothing. */
  readonly instead?: string;
  /** The configuration that says so, as JSON. */
  readonly remedy?: string;
}

/**
 * What the operator should know about a request that the server has answered without an error: a rule that the request
 * broke and that the server does not enforce, or why a token is inactive.
 */
export type Advice = Omit<Refusal, "error">;

/** A change that a hook, a misbehaviour or an option made at a seam. */
export interface Alteration {
  readonly seam: string;
  /** The name of the hook, misbehaviour or option, or the place of the function if it gave no name: `seams.response`. */
  readonly by: string;
}

/** What the steps found out about an exchange, without secrets. */
export interface Facts {
  /** The name of the endpoint: `token`. `page` means pages, their files, preflights and unknown paths. */
  readonly endpoint: string;
  /** The id of the grant that the exchange belongs to. */
  readonly flow: string;
  readonly clientId: string;
  /** The server has no client with this `clientId`, and first use does not accept the request either. */
  readonly clientIsUnknown: boolean;
  readonly clientAuth: string;
  readonly subject: string;
  /** The server did not know the person before this exchange. */
  readonly subjectIsNew: true;
  readonly grantType: string;
  readonly pkce: "S256" | "none";
  /** The key that the sender proved, for example `jkt` and its thumbprint. */
  readonly provenKey: string;
  /** The sources of the authorization request, unless its parameters came in the query or the form. */
  readonly arrivedBy: readonly string[];
  /** What the page asks the person that the response has, or leads to. */
  readonly question: "sign_in" | "sign_up" | "account" | "second_factor" | "consent";
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly refusal: Refusal;
  readonly advice: Advice;
  /** The changes at seams, in the order in which they were made. */
  readonly altered: readonly Alteration[];
  /** The error that the server or a hook threw, for the operator of the server. The client never sees it. */
  readonly fault: unknown;
  /** Facts of a single feature, under the name of the feature. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** The headers and the body of a request or an answer. */
export interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** The length in bytes of a body that is not text. The journal does not keep such a body. */
  readonly bodyLength?: number | "unknown";
}

/** Returns the first header with the name, which is in lower case. */
export function findHeader({ headers }: Pick<Message, "headers">, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

/** An exchange with its secrets. The entry stays in memory, and everything that shows it redacts it first. */
export interface JournalEntry {
  readonly id: string;
  readonly receivedAt: number;
  /** Seconds from the request to the answer. */
  readonly duration: number;
  /** The trace that the client names in its header `traceparent` (W3C Trace Context). */
  readonly trace?: Trace;
  readonly request: Message & { readonly method: string; readonly path: string; readonly query: string };
  readonly response: Message & {
    /** The status of the answer. @asType integer */
    readonly status: number;
  };
  /** The facts that the server recorded about the request. */
  readonly facts: Partial<Facts>;
}

/** Receives the entry of each exchange when its answer is complete. */
export type Journal = (entry: JournalEntry) => void;
