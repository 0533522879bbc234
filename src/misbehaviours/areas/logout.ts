/** Wrong sign-outs and logout tokens (OpenID Connect RP-Initiated Logout, Back-Channel Logout). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const logout: Readonly<Record<FaultOf<"logout">, Misbehaviour>> = {};
