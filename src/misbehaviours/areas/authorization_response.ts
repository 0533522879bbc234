/** Wrong authorization responses (RFC 6749 §4.1.2; RFC 9207). */

import { changeParams, setParam } from "../changes.ts";
import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";
import { redeemsCode } from "../seen.ts";

export const authorizationResponse: Readonly<Record<FaultOf<"authorization_response">, Misbehaviour>> = {
  iss_wrong: {
    level: "must",
    phase: "login",
    server: "The parameter iss of the authorization response names another issuer.",
    client: "Refuses the response, and does not send the code to any token endpoint.",
    rule: "RFC 9207 §2.4",
    watch: { never: redeemsCode },
    acts: ({ decoy }) => changeParams((params) => setParam(params, "iss", decoy)),
  },
};
