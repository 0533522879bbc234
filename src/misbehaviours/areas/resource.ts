/** Wrong protected resources: their metadata and their challenges (RFC 9728, RFC 6750). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const resource: Readonly<Record<FaultOf<"resource">, Misbehaviour>> = {};
