/** Wrong answers to revocation requests (RFC 7009). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const revocation: Readonly<Record<FaultOf<"revocation">, Misbehaviour>> = {};
