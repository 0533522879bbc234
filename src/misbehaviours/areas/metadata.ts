/** Wrong metadata of the server (RFC 8414; OpenID Connect Discovery). */

import { changeMetadata } from "../changes.ts";
import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";
import { startsLogin } from "../seen.ts";

export const metadata: Readonly<Record<FaultOf<"metadata">, Misbehaviour>> = {
  issuer_mismatch: {
    level: "must",
    phase: "login",
    server: "The issuer in the metadata is not the one whose metadata the client asked for.",
    client: "Refuses the metadata and uses nothing of it.",
    rule: "RFC 8414 §3.3; OpenID Connect Discovery §4.3",
    watch: { never: startsLogin },
    acts: ({ decoy }) => changeMetadata((metadata) => ({ ...metadata, issuer: decoy })),
  },
};
