/** Access tokens that are not bound to the certificate of the client, although they should be (RFC 8705 §3). */

import { sha256 } from "../../../ground/crypto/platform.ts";
import type { Members } from "../../../ground/values/members.ts";
import { type Change, changeClaims, removing } from "../changes.ts";
import { usesAccessToken } from "../finds.ts";
import type { CreateActs } from "../misbehaviour.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { writeNeighbour } from "../neighbours.ts";

const method = "x5t#S256";

export const mtls: FaultsOf<"mtls"> = faultsOf("mtls", {
  level: "must",
  phase: "call_api",
  // A client need not read its access token, so these faults are for its API.
  client: "Refuses the access token in its API.",
  needs: ["certificate_bound_token", "verified_access_token"],
  watch: { invisible: true, elsewhere: usesAccessToken },
}, {
  cnf_missing: {
    level: "hardening",
    server: "The access token, and its introspection, have no cnf, so anyone who holds the token can use it.",
    client: "Refuses the access token in its API, if the API accepts bound tokens only.",
    rule: "RFC 8705 §3.1, §3.2: a duty of the server",
    acts: changeBinding(removing("cnf")),
  },
  thumbprint_other: {
    server:
      "The cnf of the access token, and of its introspection, has the thumbprint of another certificate.",
    rule: "RFC 8705 §3",
    acts: changeBinding((claims, { variant }) => {
      const { [method]: right, ...others } = Object(claims["cnf"]);
      const other = writeNeighbour(variant, `${right}`, sha256("another certificate"));
      return { ...claims, cnf: { ...others, [method]: other } };
    }),
  },
});

/** Introspection and userinfo read the claims of the token, too. Other tokens stay unchanged. */
function changeBinding(change: Change<Members>): CreateActs {
  return changeClaims(
    "access_token",
    (claims, ...more) => Object.hasOwn(Object(claims["cnf"]), method) ? change(claims, ...more) : claims,
  );
}
