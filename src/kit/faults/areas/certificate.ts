/** Wrong certificates in requests to an API (RFC 8705 §3). A client shows them, so no server can have these faults. */

import type { Misbehaviour } from "../misbehaviour.ts";
import type { FaultOf } from "../names.ts";

function refused(parts: Pick<Misbehaviour, "server" | "certificate">): Misbehaviour {
  return {
    level: "must",
    phase: "call_api",
    client: "Refuses the request.",
    rule: "RFC 8705 §3",
    api: { status: 401, error: "invalid_token", seenBy: "proof" },
    watch: {},
    needs: ["mtls_api"],
    acts: () => ({}),
    ...parts,
  };
}

export const certificate: Readonly<Record<FaultOf<"certificate">, Misbehaviour>> = {
  missing: refused({
    server: "The request presents a token that is bound to a certificate, and shows no certificate.",
    certificate: "none",
  }),
  other: refused({
    server: "The request shows another certificate than the one that its token is bound to.",
    certificate: "other",
  }),
};
