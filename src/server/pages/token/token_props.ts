/** What the view of a token shows. The values hold secrets only for a page that may show them. */

import type { TokenCheckName } from "../../schema/token_check_name.ts";
import type { NamedValue, ShownValue } from "../inspector/exchange_props.ts";

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
