/** The records of a request on its way through `steps.ts`, and of its destination. Types only. */

import type { Pair } from "../../../ground/http/form.ts";
import type { Carried } from "./feature_values.ts";
import type { Timed } from "../options/clock_skew.ts";
import type { Client } from "./client.ts";
import type { OAuthError } from "./refusals.ts";
import type { Exchange } from "./exchange.ts";
import type { FormProps, SignInProblem } from "./pages.ts";
import type { Params } from "./params.ts";
import type { Person } from "./people.ts";
import type { SignedIn } from "./session.ts";
import type { Grant } from "./grant.ts";
import type { Confirmation } from "./sender.ts";

/** The access that a client requests from a person. All kinds of request have these members. */
export interface AccessRequest {
  readonly client: Client;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The resources that other parameters than `resource` ask for. They are part of `resource`. */
  readonly impliedResource?: readonly string[];
  /** The URI that receives the response. If absent, the request ends on a page of this server. */
  readonly redirectUri?: string;
  /** The username that the client expects. Fills in the sign-in form or selects an account, and proves nothing. */
  readonly loginHint?: string;
  /** The values of the parameter `prompt` (OpenID Connect Core §3.1.2.1). */
  readonly prompt?: readonly string[];
  /** The `sub`, as this client knows it, of the only person who may answer. */
  readonly requiredSub?: string;
  /** Values that features add. The grant gets all of them. */
  readonly carried: Carried;
}

/** A valid authorization request (OAuth 2.1 §4.1.1). */
export interface AuthorizationRequest extends AccessRequest {
  readonly redirectUri: string;
  readonly responseType: string;
  readonly challenge?: string;
  /** The key that the code is bound to: `dpop_jkt` (RFC 9449 §10). */
  readonly confirmation?: Confirmation;
}

/** A request whose source, for example a pushed request, has been replaced by the parameters. */
export interface ResolvedRequest {
  readonly params: Params;
  /** The names of the sources, for example `pushed request`. Empty if the query or the form held the parameters. */
  readonly arrivedBy: readonly string[];
  /** The id of the future grant, if the source sets it. Two uses of one source then lead to one grant at most. */
  readonly grantId?: string;
  /** The source refuses the request. The parameters are enough to send the refusal to the client. */
  readonly refusal?: OAuthError;
}

/**
 * An unanswered request. The forms and the addresses of its pages carry it encrypted. Each time it returns in a form or by
 * an address, its parameters are validated again, but its sources are not read again.
 */
export interface PendingRequest extends ResolvedRequest, Timed {
  readonly kind: string;
  readonly startedAt: number;
  /** The id of the future grant. It is fixed from the start, so that a second approval finds the id in use. */
  readonly grantId: string;
  /** Whether the same request can arrive again with the same id, because its source has fixed the id. */
  readonly canArriveAgain: boolean;
  /** Whether a page has asked the person. A form can be sent twice, so the server then also stores a denial. */
  readonly asked: boolean;
  /** The person who signed in for this request, was chosen on the account page, or saw the consent page. */
  readonly subject?: string;
  /** Whether this person signed in to answer this request. This satisfies prompt=login and max_age. */
  readonly signedIn?: true;
  /** The next page is the sign-in page. A server with another clock must not find the last sign-in recent enough. */
  readonly mustSignIn?: true;
}

/** Where the answer of a request goes: the client's redirect URI, or a page of this server. Each kind adds members. */
export interface Destination {
  readonly client: Client;
  readonly redirectUri?: string;
}

/** A verified target. Only `requireRedirectTarget` creates this record, so its holder may redirect the browser. */
export interface RedirectTarget {
  readonly client: Client;
  readonly redirectUri: string;
  readonly responseMode: string;
  readonly state?: string;
  /** Whether the request has prompt=none, which forbids pages. */
  readonly isSilent: boolean;
  readonly verified: typeof verified;
}

declare const verified: unique symbol;

/** A request that passed every check, in the current exchange. */
export interface Interaction {
  readonly exchange: Exchange;
  readonly pending: PendingRequest;
  readonly destination: Destination;
  readonly request: AccessRequest;
}

/** The result of an approval. Nothing is written yet. */
export interface Issued {
  readonly grant: Grant;
  /** The time when the grant expires if the client does not use it. */
  readonly expiresAt: number;
  /** The parameters for the client, if the request ends at a redirect URI. */
  readonly params?: readonly Pair[];
}

export interface SentForm {
  readonly form: Params;
  readonly pending: PendingRequest;
}

/** What the person says with a form. `decision=deny` has one meaning in every form, so it is not among these. */
export type Reply =
  /** The person has proved on the sign-in page who they are. */
  | { readonly signsIn: Person }
  /** The attempt failed, so its page asks again. */
  | { readonly asksAgain: FeatureStep | { readonly question: "sign_in"; readonly failure: FailedSignIn } }
  /** The person has proved more at this account. */
  | { readonly proves: SignedIn; readonly setCookie?: string }
  /** The person continues with this account. */
  | { readonly chooses: SignedIn }
  /** Another person is to sign in. */
  | { readonly changesPerson: true }
  | { readonly consents: true; readonly chosen: Chosen };

/** What the person grants out of what may be left out. An absent list grants everything of its kind. */
export interface Chosen {
  readonly scope?: readonly string[];
  /** The lines of rows, each after the name of its row: `claims: email`. */
  readonly lines?: readonly string[];
}

/** A question that a feature asks on a page of its own, which has the name of the question. */
export interface FeatureStep {
  readonly question: "sign_up" | "second_factor";
  /** The person whom the page asks, who has signed in. */
  readonly person?: Person;
  /** Why the page asks again. */
  readonly failure?: Failed<unknown>;
  /** Resolves to what the page shows beside its form. */
  describe(): Promise<Pick<FormProps, "action">>;
}

/** What each page of a question gets. */
export type PageForm = Omit<FormProps, "action">;

/** Why a form is not accepted. */
export interface Failed<Problem> {
  readonly problem: Problem;
  /** The status and headers of this refusal are sent. Its text is for the journal only. */
  readonly refusal: OAuthError;
}

export interface FailedSignIn extends Failed<SignInProblem> {
  readonly username?: string;
}
