/** Wrong answers to revocation requests (RFC 7009). */

import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { answerInstead, changeResponse, errorAnswer, htmlPage, neverAnswer } from "../changes.ts";
import { to } from "../finds.ts";
import type { Watch } from "../misbehaviour.ts";

const watch: Watch = { invisible: true, sign: to("revoke") };

export const revocation: FaultsOf<"revocation"> = faultsOf("revocation", {
  level: "hardening",
  phase: "logout",
  needs: ["revocation"],
  watch,
}, {
  unavailable: {
    server: "The revocation endpoint answers its first request with the status 503.",
    client: "Assumes that the token is still valid, and sends the request again or reports the error.",
    rule: "RFC 7009 §2.2.1",
    // What the client assumes cannot be seen, so a client that ignores the status may still be right.
    watch: { sign: to("revoke"), signSays: "sent the request again", successProvesNothing: true },
    acts(tools) {
      let isFirst = true;
      return answerInstead("revoke", () => {
        if (!isFirst) return undefined;
        isFirst = false;
        return errorAnswer(503, "temporarily_unavailable");
      })(tools);
    },
  },
  refused: {
    server: "The revocation endpoint refuses the client with the error invalid_client.",
    client: "Reports that the token is not revoked.",
    rule: "RFC 7009 §2.2.1; RFC 6749 §5.2",
    acts: answerInstead("revoke", errorAnswer(401, "invalid_client", { "www-authenticate": "Basic" })),
  },
  unsupported_type: {
    server: "The revocation endpoint refuses tokens of this kind with the error unsupported_token_type.",
    client: "Reports that the token is not revoked.",
    rule: "RFC 7009 §2.2.1",
    acts: answerInstead("revoke", errorAnswer(400, "unsupported_token_type")),
  },
  never_answers: {
    server: "The revocation endpoint does not answer.",
    client: "Stops waiting after a while, and reports that the token may still be valid.",
    rule: "RFC 7009 §2.2.1",
    watch: { ...watch, timeoutIsRefusal: true },
    acts: neverAnswer("revoke"),
  },
  body_unexpected: {
    level: "tolerate",
    server: "The response to a revocation has the status 200 and an HTML page.",
    client: "Counts the token as revoked, because only the status says so.",
    rule: "RFC 7009 §2.2",
    watch: {},
    acts: changeResponse("revoke", (answer) => answer.status === 200 ? htmlPage : answer),
  },
});
