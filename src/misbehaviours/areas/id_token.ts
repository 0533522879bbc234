/** Wrong ID tokens (OpenID Connect Core §3.1.3.7). */

import { joinJwt } from "../../crypto/jwt_parts.ts";
import { changeSigned } from "../changes.ts";
import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";
import { usesAccessToken } from "../seen.ts";

export const idToken: Readonly<Record<FaultOf<"id_token">, Misbehaviour>> = {
  alg_none: {
    level: "must",
    phase: "login",
    server: "The ID token has the alg none and no signature.",
    client: "Refuses the ID token, because it did not register for unsigned ID tokens.",
    rule: "OpenID Connect Core §3.1.3.7 (7), §2",
    watch: { never: usesAccessToken, invisible: true },
    acts: () =>
      changeSigned(
        "id_token",
        ({ header, claims }) => joinJwt({ header: { ...header, alg: "none" }, claims, signature: "" }),
      ),
  },
};
