/** What the pages of the playground show. */

import type { FormTarget } from "../pass.tsx";
import type { DecodedJwt, NamedValue, RequestCopy, ShownRefusal } from "../inspector/exchange_props.ts";

/** What the server would answer to a request. */
export type CheckProps =
  /** The request cannot be sent, for example because its address is too long. */
  | { readonly outcome: "unreadable" }
  /** The server would call other servers first. */
  | { readonly outcome: "calls"; readonly calls: readonly string[] }
  | {
    readonly outcome: "accepted" | "refused";
    readonly status: number;
    readonly isRedirect: boolean;
    /** The refusal, or the advice about an accepted request. */
    readonly refusal?: ShownRefusal;
  };

export interface KindProps {
  readonly id: string;
  readonly endpoint: string;
  readonly grantType?: string;
  readonly href: string;
  readonly isHere: boolean;
}

export interface FieldProps {
  readonly name: string;
  readonly value: string;
  /** One of the known values must be chosen. */
  readonly isChoice: boolean;
  readonly isSecret: boolean;
  readonly isLong: boolean;
  /** The values that the server knows. Any other value can be typed. */
  readonly known: readonly string[];
}

/** A request as the browser would send it. */
export interface RequestProps {
  readonly method: "GET" | "POST";
  /** The address as the issuer names it. */
  readonly url: string;
  /** The address on this server. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The fields of the body, if it is a form. */
  readonly form?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly copies: readonly RequestCopy[];
}

export interface PlaygroundProps {
  readonly kinds: readonly KindProps[];
  /** The address of the endpoint as the issuer names it. */
  readonly url: string;
  readonly method: "GET" | "POST";
  /** A browser opens the address, because people see pages there. */
  readonly isOpenedByBrowser: boolean;
  readonly form: FormTarget;
  /** Answers with the page of the inspector about the last request to a path. */
  readonly sentUrl: string;
  /** The path of the authorization endpoint. */
  readonly authorizePath: string;
  readonly fields: readonly FieldProps[];
  readonly request: RequestProps;
  readonly check: CheckProps;
  /** The PKCE pair that the page has made. `hash`: SHA-256 of the verifier in hexadecimal digits. */
  readonly pair?: { readonly verifier: string; readonly hash: string; readonly challenge: string };
  /** The address that shows this form, without secrets. */
  readonly shareUrl: string;
  /** The form that takes a text apart. */
  readonly read: FormTarget;
  /** The requests of this kind in the inspector. */
  readonly inspectorUrl: string;
}

/** What a pasted text is. */
export type PastedKind =
  | "access_token"
  | "authorization_request"
  | "authorization_response"
  | "client_assertion"
  | "code"
  | "dpop_proof"
  | "id_token"
  | "jwt"
  | "logout_token"
  | "refresh_token"
  | "request_object"
  | "response"
  | "unreadable";

export type PastedCheckName =
  | "alive"
  | "ath"
  | "at_hash"
  | "aud"
  | "browser"
  | "client"
  | "events"
  | "exp"
  | "iat"
  | "iss"
  | "jti"
  | "nbf"
  | "no_nonce"
  | "nonce"
  | "redirect_uri"
  | "response_iss"
  | "server"
  | "signature"
  | "sub_or_sid"
  | "typ";

/** `open`: the server cannot decide it, for example because only the client knows the other value. */
export interface PastedCheck {
  readonly name: PastedCheckName;
  readonly result: "passed" | "failed" | "open";
  readonly expected?: string;
  readonly received?: string;
  readonly rule?: string;
}

/** Why a text cannot be taken apart. */
export type PastedProblem = "empty" | "encrypted" | "json" | "too_long" | "unknown";

export interface PastedProps {
  readonly kind: PastedKind;
  /** Present if the kind is `unreadable`. */
  readonly problem?: PastedProblem;
  /** The parameter or member that held the text. */
  readonly name?: string;
  readonly checks: readonly PastedCheck[];
  readonly parameters: readonly NamedValue[];
  readonly jwt?: DecodedJwt;
  /** The error code of a response. */
  readonly error?: string;
  /** The requests of the same flow in the inspector. */
  readonly flowUrl?: string;
  /** The texts inside of this one. */
  readonly inner: readonly PastedProps[];
}

export interface ReaderProps {
  readonly form: FormTarget;
  /** Absent: the person has pasted nothing yet. */
  readonly pasted?: PastedProps;
  /** The address of the playground. */
  readonly builderUrl: string;
}
