/** What the view of a token shows. The values hold secrets only for a page that may show them. */

import type { TokenCheckName } from "../../schema/token_check_name.ts";

/** A value, or what the page may say about a secret. */
export interface ShownValue {
  /** Absent for a secret that the page does not show. */
  readonly text?: string;
  /** The number of characters of a secret. Absent for passwords and cookies. */
  readonly length?: number;
  /** The first characters of the SHA-256 hash of a secret. Absent for secrets that could be guessed from it. */
  readonly fingerprint?: string;
  /** The secret begins or ends with white space. */
  readonly hasOuterSpace?: true;
  /** A point in time, in seconds since 1970. */
  readonly time?: number;
  readonly jwt?: DecodedJwt;
  /** The value was cut. It has this number of characters. */
  readonly cutFrom?: number;
}

export interface NamedValue extends ShownValue {
  readonly name: string;
  /** The key of the explanation, if it is not the name. */
  readonly meaning?: string;
}

/** A JWT without its signature. */
export interface DecodedJwt {
  readonly header: TokenPart;
  readonly payload: TokenPart;
}

/** The header or the payload of a JWT. */
export interface TokenPart {
  readonly lines: readonly TokenLine[];
  /** How many lines were left out, so that the page stays small. */
  readonly omitted?: number;
  /** Each value is shown as it is, so that the lines can be copied as JSON. */
  readonly isWhole: boolean;
}

/** A line of JSON. */
export interface TokenLine {
  readonly depth: number;
  /** The line without its indentation. Hidden characters are escaped as in JSON. */
  readonly text: string;
  /** The name of the claim, with those around it: `address.locality`. Absent if the line begins none. */
  readonly path?: string;
  /** A point in time, in seconds since 1970. */
  readonly time?: number;
  /** What is known about the value, if the line does not have the whole value. */
  readonly value?: ShownValue;
}

export interface TokenProps {
  /** Unique on its page. The ids of the parts begin with it. Absent: nothing can be copied. */
  readonly id?: string;
  /** What it is, for example "ID token". */
  readonly name: string;
  /** The token. Its `text` is absent on a page without the key of the inspector, its `jwt` if it is opaque. */
  readonly token: ShownValue;
  readonly checks: readonly ShownCheck[];
  /** What the server knows about an opaque token. */
  readonly facts?: readonly NamedValue[];
  /** The name of the parameter or header that carried it, if that changes what its claims mean. */
  readonly carriedBy?: string;
  /** The time by the server's clock, in seconds. Absent in a file, which is read later. */
  readonly now?: number;
}

/** `open`: the page cannot decide it, for example because only the client knows the other value. */
export interface ShownCheck {
  readonly name: ShownCheckName;
  readonly result: "passed" | "failed" | "absent" | "open";
  readonly expected?: string;
  readonly received?: string;
  /** The section that demands the check. */
  readonly rule?: string;
}

/** The checks of a token, and those of the texts that the playground takes apart. */
export type ShownCheckName =
  | TokenCheckName
  | "alive"
  | "ath"
  | "browser"
  | "client"
  | "events"
  | "jti"
  | "no_nonce"
  | "redirect_uri"
  | "response_iss"
  | "server"
  | "sub_or_sid";
