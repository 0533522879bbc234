/** Wrong responses of userinfo (OpenID Connect Core §5.3). */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

export const userinfo: Readonly<Record<FaultOf<"userinfo">, Misbehaviour>> = {};
