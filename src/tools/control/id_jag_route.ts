/** The route of ID-JAGs, for tests of a server that accepts them. */

import { idJagFaults } from "../../kit/faults/id_jag_faults.ts";
import { levels } from "../../kit/faults/misbehaviour.ts";
import { present } from "../../server/values/present.ts";
import { type ControlRoute, route } from "./route.ts";
import { anInteger, anObject, aText, closedObject, described, oneOf, openObject } from "./schema_of.ts";
import { personAliases, resource, scope, usernameOrDefault } from "./schemas.ts";

export const idJagRoute: ControlRoute = route("POST /id_jag", "issueIdJag", {
  summary:
    "Issues an ID-JAG as an identity provider does, right or with one fault, and says how a server must answer it.",
  body: closedObject({
    audience: aText("The issuer of the server that the ID-JAG is for."),
    client: aText("The id that the client has at that server."),
    username: usernameOrDefault,
    scope,
    resource,
    claims: anObject("Claims that are added to the default claims, or that replace them."),
    fault: oneOf(idJagFaults, "What is wrong with the ID-JAG. Default: nothing."),
  }, {
    required: ["audience", "client"],
    example: { audience: "http://localhost:8080", client: "agent", fault: "expired" },
  }),
  aliases: personAliases,
  answer: openObject({
    token: aText("The ID-JAG, to send as assertion."),
    verdict: described(
      "The answer of a server to the fault. Absent: the server must accept the ID-JAG.",
      openObject({
        level: oneOf(levels, "How strongly the rule obliges the server."),
        status: anInteger("400."),
        error: oneOf(["invalid_grant", "invalid_scope", "invalid_target"], "The error code."),
        spec: aText("The rule, for example RFC 7523 §3."),
        why: aText("The fault in a sentence, for the message of a failing test."),
      }),
    ),
  }, ["token"]),
  handle: ({ tenant, body: { username: person, ...terms } }) =>
    tenant.idJag({ ...terms, ...present({ person }) }),
});
