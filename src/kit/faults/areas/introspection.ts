/** Wrong introspection responses, to an API that asks (RFC 7662; RFC 9701). */

import { type FaultsOf, faultsOf } from "../faults_of.ts";
import {
  answerInstead,
  changeMetadata,
  changeResponse,
  changesOf,
  errorAnswer,
  htmlPage,
  membersOf,
  nameHttpEndpoint,
  neverAnswer,
  removing,
  setting,
  signAgain,
  signWithPublicKey,
  writeUnsigned,
} from "../changes.ts";
import { afterWrong, callsOtherServer, guessesEndpoint } from "../finds.ts";
import type { Watch } from "../misbehaviour.ts";
import type { PastTime } from "../names.ts";
import { changeAudience, narrowScope, writeIssuer, writeNeighbour } from "../neighbours.ts";

/** The server does not see what an API does with the answer. */
const watch: Watch = { invisible: true };

const otherApi = "https://another-api.test";

const { anew, claims, header } = changesOf("introspection");

const asJwt = {
  needs: ["introspection_jwt"],
  client: "Refuses the response, and with it the access token.",
} as const;

export const introspection: FaultsOf<"introspection"> = faultsOf("introspection", {
  level: "must",
  phase: "call_api",
  client: "Refuses the access token.",
  watch,
  needs: ["introspection"],
}, {
  inactive: {
    server: "The server says that the access token is not active, although it looks valid.",
    rule: "RFC 6749 §7; RFC 7662 §2.2",
    acts: claims(() => ({ active: false })),
  },
  active_text: {
    server: "The member active of the introspection response is the text false.",
    client: "Refuses the access token, because active is not true.",
    rule: "RFC 6749 §7; RFC 7662 §2.2",
    acts: claims(setting({ active: "false" })),
  },
  active_missing: {
    server: "The introspection response has the status 200 and describes an error instead of the token.",
    client: "Refuses the access token, because active is not true.",
    rule: "RFC 6749 §7; RFC 7662 §2.2",
    acts: changeResponse(
      "introspect",
      (answer) => membersOf(answer)["active"] === undefined ? answer : errorAnswer(200, "server_error"),
    ),
  },
  unavailable: {
    server: "The introspection endpoint answers with the status 503.",
    client: "Refuses the access token, because it cannot know that the token is active.",
    rule: "RFC 6749 §7; RFC 7662 §2.2",
    acts: answerInstead("introspect", errorAnswer(503, "temporarily_unavailable")),
  },
  client_refused: {
    server:
      "The introspection endpoint answers with the status 401, because it refuses the credentials of the API.",
    client: "Refuses the access token, because it cannot know that the token is active.",
    rule: "RFC 6749 §7; RFC 7662 §2.3",
    acts: answerInstead("introspect", errorAnswer(401, "invalid_client")),
  },
  endpoint_http: {
    level: "hardening",
    server: "The introspection endpoint in the metadata is an http URL of a public host.",
    client: "Sends no token and no credentials there, because others can read them.",
    rule: "RFC 7662 §2, §4: a duty of the server",
    needs: ["introspection", "world_reachable"],
    watch: { never: callsOtherServer },
    acts: nameHttpEndpoint("introspection_endpoint", "introspect"),
  },
  endpoint_missing: {
    level: "hardening",
    server: "The metadata has no introspection endpoint.",
    client: "Refuses the access token, and guesses no address.",
    rule: "RFC 8414 §2: the member is optional, but no rule says what an API does without it",
    needs: ["introspection", "metadata"],
    // An API that is configured with the address needs no metadata.
    watch: { never: afterWrong("metadata", guessesEndpoint) },
    acts: changeMetadata(removing("introspection_endpoint")),
  },
  not_json: {
    server: "The introspection endpoint answers with the status 200 and an HTML page.",
    client: "Refuses the access token, because it cannot know that the token is active.",
    rule: "RFC 6749 §7; RFC 7662 §2.2",
    acts: answerInstead("introspect", htmlPage),
  },
  never_answers: {
    server: "The introspection endpoint does not answer.",
    client: "Stops waiting after a while, and refuses the access token.",
    rule: "RFC 6749 §7",
    watch: { ...watch, timeoutIsRefusal: true },
    acts: neverAnswer("introspect"),
  },
  scope_narrower: {
    server: "The introspection response has a scope that lacks the one which the API requires.",
    rule: "RFC 6749 §3.3, §7; RFC 7662 §2.2",
    acts: claims(({ scope, ...claims }, { variant }) => ({
      ...claims,
      scope: narrowScope(variant, `${scope}`.split(" ")),
    })),
  },
  audience_list: {
    level: "tolerate",
    server: "The aud in the introspection response is a list, which names another API besides this one.",
    client: "Accepts the access token, because one value of aud names the API.",
    rule: "RFC 7662 §2.2; RFC 7519 §4.1.3",
    acts: claims((claims) => ({ ...claims, aud: [otherApi, ...[claims["aud"]].flat()] })),
  },
  audience_other: {
    server: "The aud in the introspection response is another API.",
    rule: "RFC 9700 §2.3; RFC 7662 §2.2; RFC 7519 §2",
    acts: claims((claims, tools) => changeAudience(claims, tools, otherApi)),
  },
  expired: {
    level: "hardening",
    server: "The introspection response says that the token is active, but its exp is in the past.",
    rule: "RFC 7662 §2.2, §4",
    acts: claims(setting(({ findPast, variant }) => ({ exp: findPast(variant as PastTime) }))),
  },
  not_yet_valid: {
    level: "hardening",
    server: "The introspection response says that the token is active, but its nbf is in the future.",
    rule: "RFC 7662 §2.2, §4; RFC 7519 §4.1.5",
    acts: claims(setting(({ findFuture }) => ({ nbf: findFuture() }))),
  },
  subject_other: {
    level: "hardening",
    server: "The sub in the introspection response differs from the sub in the access token.",
    rule: "RFC 7662 §2.2",
    acts: claims(({ sub, ...claims }, { variant }) => ({
      ...claims,
      sub: writeNeighbour(variant, `${sub}`, "another-subject"),
    })),
  },
  minimal: {
    level: "robustness",
    server: "The introspection response has no member besides active.",
    client: "Accepts the access token, and takes its scope and its times from the token itself.",
    rule: "RFC 7662 §2.2: the other members are optional",
    acts: claims(() => ({ active: true })),
  },
  members_unknown: {
    level: "robustness",
    server: "The introspection response has members that no standard defines.",
    client: "Ignores the members, and accepts the access token.",
    rule: "RFC 7662 §2.2: there may be others, but no rule says that an API ignores them",
    acts: claims(setting({ "https://as.test/unknown-member": { version: 7 } })),
  },
  jwt_alg_none: {
    ...asJwt,
    level: "should",
    server: "The introspection response is a JWT without a signature, and its alg verifies nothing.",
    rule: "RFC 8725 §3.2; RFC 9701 §5; RFC 7515 §4.1.1",
    acts: anew(writeUnsigned),
  },
  jwt_hs256_with_public_key: {
    ...asJwt,
    level: "should",
    server:
      "The introspection response is a JWT that is signed with an HMAC, and the secret is the server's public key.",
    rule: "RFC 8725 §2.1, §3.1; RFC 9701 §5",
    acts: anew(signWithPublicKey),
  },
  jwt_audience_wrong: {
    ...asJwt,
    server: "The introspection response is a JWT that is for another API.",
    rule: "RFC 7519 §4.1.3; RFC 9701 §5",
    acts: signAgain("introspection", (claims, tools) => changeAudience(claims, tools, otherApi)),
  },
  jwt_issuer_wrong: {
    ...asJwt,
    server: "The introspection response is a JWT of another issuer, signed with a key of this server.",
    rule: "RFC 8725 §3.8; RFC 9701 §5; RFC 7519 §2",
    acts: signAgain("introspection", (claims, tools) => ({ ...claims, iss: writeIssuer(tools) })),
  },
  jwt_type_wrong: {
    ...asJwt,
    level: "hardening",
    server: "The introspection response is a JWT with the typ of another kind of JWT.",
    rule: "RFC 9701 §5; RFC 8725 §3.11",
    acts: header(setting({ typ: "JWT" })),
  },
});
