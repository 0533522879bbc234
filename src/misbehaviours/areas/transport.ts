/** Trouble between client and server that any endpoint can have. */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const transport: Readonly<Record<FaultOf<"transport">, Misbehaviour>> = {};
