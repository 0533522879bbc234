/** Wrong answers to refresh requests (RFC 6749 §6; OpenID Connect Core §12). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const refresh: Readonly<Record<FaultOf<"refresh">, Misbehaviour>> = {};
