/** Wrong introspection responses, to an API that asks (RFC 7662; RFC 9701). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const introspection: Readonly<Record<FaultOf<"introspection">, Misbehaviour>> = {};
