/** Wrong access tokens, which an API has to refuse (RFC 9068 §4). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const accessToken: Readonly<Record<FaultOf<"access_token">, Misbehaviour>> = {};
