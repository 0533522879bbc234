/** Wrong answers to pushed authorization requests (RFC 9126). */

import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { setParam, without } from "../../../server/oauth/contracts/seams.ts";
import {
  answerInstead,
  changeJson,
  changeMetadata,
  changeParams,
  refusalAnswer,
  removing,
  setting,
  together,
} from "../changes.ts";
import { any, moreThan, to, where } from "../finds.ts";
import type { Find } from "../seen.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";

const goesUnpushed: Find = to("authorize", ({ params }) => params.has("redirect_uri"));

/** Finds authorization requests with the request_uri that got the first wrong answer. */
const repeatsReference: Find = (later, [first]) =>
  to(
    "authorize",
    ({ params }) =>
      params.has("request_uri") && params.get("request_uri") === first?.params.get("request_uri"),
  )(later, []);

/** Finds authorization requests with the text of a missing value instead of a request_uri. */
const usesNoReference: Find = to(
  "authorize",
  ({ params }) => ["", "undefined", "null", "None"].includes(params.get("request_uri") ?? "none"),
);

/** Finds pushed requests with an assertion for the server that the wrong metadata names as `member`. */
function pushesAssertionFor(member: "issuer" | "token_endpoint"): Find {
  return where(to("par"), ({ params }, acted) => {
    const { aud } = parseJwt(params.get("client_assertion") ?? "")?.claims ?? {};
    const named = acted.map(({ entry: { response } }) => parseJsonObject(response.body ?? "")?.[member]);
    const origins = named.map(originOf);
    return [aud].flat().map(originOf).some((origin) => origin !== undefined && origins.includes(origin));
  });
}

function originOf(url: unknown): string | undefined {
  return URL.canParse(`${url}`) ? new URL(`${url}`).origin : undefined;
}

/** Says in the metadata that requests must be pushed. The server still accepts others, so that a client shows what it does. */
const demandPushing = changeMetadata(setting({ require_pushed_authorization_requests: true }));

export const pushedRequest: FaultsOf<"pushed_request"> = faultsOf("pushed_request", {
  level: "hardening",
  phase: "login",
  needs: ["pushed_request"],
}, {
  audience_foreign: {
    level: "should",
    server: "The metadata names the token endpoint of a foreign server, which wants to log in as the client.",
    client: "Pushes its request with an assertion whose audience is the issuer, and not that endpoint.",
    rule: "RFC 9126 §2",
    needs: ["metadata", "pushed_request", "assertion"],
    bugs: ["CVE-2025-27370", "CVE-2025-27371"],
    watch: {
      never: pushesAssertionFor("token_endpoint"),
      sign: pushesAssertionFor("issuer"),
      signSays: "sent an assertion for this server",
    },
    acts: changeMetadata(setting(({ otherServer }) => ({ token_endpoint: `${otherServer}/token` }))),
  },
  endpoint_missing: {
    server: "The metadata says that requests must be pushed, but names no endpoint for them.",
    client: "Does not send the request unpushed.",
    rule: "RFC 9126 §5",
    watch: { never: goesUnpushed },
    acts: changeMetadata((metadata) => ({
      ...without(metadata, "pushed_authorization_request_endpoint"),
      require_pushed_authorization_requests: true,
    })),
  },
  expires_in_text: {
    level: "robustness",
    server: "The expires_in in the response to the pushed request is a text.",
    client: "Uses the request_uri immediately.",
    rule: "RFC 9126 §2.2: the value is a number, but no rule says what a client does otherwise",
    watch: { sign: to("authorize") },
    acts: changeJson("par", (members) => ({ ...members, expires_in: `${members["expires_in"]}` })),
  },
  login_fails: {
    level: "must",
    server: "The authorization response says temporarily_unavailable.",
    client: "Pushes a new request for the next login, and does not use the same request_uri twice.",
    rule: "RFC 9126 §4",
    watch: {
      never: repeatsReference,
      sign: to("par"),
      signSays: "pushed a new request",
      // A client that logs in once has no occasion to use the request_uri again.
      wordProvesNothing: true,
    },
    acts: changeParams((params, _tools, { exchange: { request: { address } } }) =>
      // A client that pushes nothing does not meet this fault.
      new URLSearchParams(address.query).has("request_uri")
        ? setParam(setParam(params, "code", undefined), "error", "temporarily_unavailable")
        : params
    ),
  },
  refused: {
    server: "The server wants pushed requests, and refuses them with invalid_request.",
    client: "Reports the error, and does not send the same request unpushed.",
    rule: "RFC 9126 §2.3",
    control: "itself",
    prepares: ["metadata"],
    watch: { never: goesUnpushed },
    acts: together(
      demandPushing,
      answerInstead("par", refusalAnswer("invalid_request", "The request is not allowed")),
    ),
  },
  request_uri_missing: {
    server: "The response to the pushed request has no request_uri.",
    client: "Does not begin the login.",
    rule: "RFC 9126 §2.2",
    watch: { never: usesNoReference },
    acts: changeJson("par", removing("request_uri")),
  },
  unavailable: {
    server: "The server wants pushed requests, and answers 503 to each, with an HTML page.",
    client: "Gives up after a few attempts, and does not send the request unpushed.",
    rule: "RFC 9126 §2.3; RFC 9110 §10.2.3",
    control: "itself",
    prepares: ["metadata"],
    watch: { never: any(moreThan(3, to("par")), goesUnpushed) },
    acts: together(
      demandPushing,
      answerInstead("par", () => ({
        status: 503,
        headers: { "content-type": "text/html; charset=utf-8", "retry-after": "60" },
        body: "<!doctype html><title>Unavailable</title><p>Come back later.",
      })),
    ),
  },
});
