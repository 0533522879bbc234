/** Wrong answers to proofs of possession (RFC 9449). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const dpop: Readonly<Record<FaultOf<"dpop">, Misbehaviour>> = {};
