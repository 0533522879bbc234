/** Wrong answers to client registrations (RFC 7591, RFC 7592). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const registration: Readonly<Record<FaultOf<"registration">, Misbehaviour>> = {};
