/** Wrong token responses (RFC 6749 §5). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const tokenResponse: Readonly<Record<FaultOf<"token_response">, Misbehaviour>> = {};
