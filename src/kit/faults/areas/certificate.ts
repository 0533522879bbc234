/** Wrong certificates in requests to an API (RFC 8705 §3). A client shows them, so no server can have these faults. */

import { type FaultsOf, faultsOf } from "../faults_of.ts";

export const certificate: FaultsOf<"certificate"> = faultsOf("certificate", {
  level: "must",
  phase: "call_api",
  client: "Refuses the request.",
  rule: "RFC 8705 §3",
  api: { status: 401, error: "invalid_token", seenBy: "proof" },
  watch: {},
  needs: ["mtls_api"],
  acts: () => ({}),
}, {
  missing: {
    server: "The request presents a token that is bound to a certificate, and shows no certificate.",
    certificate: "none",
  },
  other: {
    server: "The request shows another certificate than the one that its token is bound to.",
    certificate: "other",
  },
});
