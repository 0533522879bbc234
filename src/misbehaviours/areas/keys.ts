/** Wrong sets of published keys (RFC 7517; OpenID Connect Core §10.1). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const keys: Readonly<Record<FaultOf<"keys">, Misbehaviour>> = {};
