/** Wrong answers to pushed authorization requests (RFC 9126). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const pushedRequest: Readonly<Record<FaultOf<"pushed_request">, Misbehaviour>> = {};
