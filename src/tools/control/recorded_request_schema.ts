/** The schemas of recorded requests and refusals. */

import type { RecordedRequest } from "../../kit/mock/journal/recorded_request.ts";
import type { Refusal } from "../../server/oauth/journal.ts";
import { requestOutcomes } from "../../server/schema/request_outcome.ts";
import type { Schema } from "../../server/schema/schema.ts";
import {
  aFlag,
  aList,
  anInteger,
  anObject,
  aNumber,
  anyText,
  aText,
  described,
  either,
  oneOf,
  openObject,
  textMembers,
} from "./schema_of.ts";
import { endpointName } from "./schemas.ts";

// The types make the compiler report a member of a refusal or a recorded request without a schema.
const refusalMembers: Readonly<Record<keyof Refusal, Schema>> = {
  error: aText("The error code that clients see, for example invalid_grant."),
  reason: aText("The exact cause, for example verifier_wrong."),
  description: aText("The cause in a sentence."),
  spec: aText("The rule, for example RFC 7636 §4.6."),
  expected: anyText("What would be right."),
  received: anyText("What the server received. Left out if it may be a secret."),
  change: aText("The one change with which the server would have accepted the request."),
  remedy: aText("How to correct the mistake."),
};

const { error: _error, ...adviceMembers }: Readonly<Record<keyof Refusal, Schema>> = refusalMembers;

export const refusal: Schema = described(
  "Why the authorization server refused the request.",
  openObject(refusalMembers, { required: ["error", "reason", "description"] }),
);

const headers = aList(aList(anyText()));

export const journalEntry: Schema = {
  ...openObject({
    id: aText(),
    receivedAt: aNumber(),
    duration: aNumber(),
    request: openObject({ method: aText(), path: aText(), query: anyText(), headers, body: anyText() }, {
      required: [
        "method",
        "path",
        "query",
        "headers",
      ],
    }),
    response: openObject({ status: anInteger(), headers, body: anyText() }, {
      required: ["status", "headers"],
    }),
    facts: anObject("The facts that the server recorded about the request."),
  }),
  description: "The request and the response with their secrets. Only with raw=true.",
};

const recordedMembers: Readonly<Record<keyof RecordedRequest, Schema>> = {
  id: aText("The id of the request, for the query parameter after."),
  at: aNumber(
    "When the request arrived, in seconds since 1970 by the server's clock. A gate or a delay comes later.",
  ),
  endpoint: endpointName,
  method: aText("The method of the request, for example POST."),
  path: aText("The path without the query."),
  api: aText("The URL without the query, for a request to an API of POST /resources."),
  rpc: aList(
    anyText(),
    "The JSON-RPC calls in a request to an API of POST /resources, for example tools/call greet.",
  ),
  status: anInteger(
    "The status of the response. Absent if guard accepted the request, because the caller answers it.",
  ),
  outcome: oneOf(
    requestOutcomes,
    "What became of the request. failed: the server itself failed.",
  ),
  duration: aNumber("Seconds until the response, by the server's clock."),
  clientId: anyText("The client id."),
  clientAuth: anyText("How the client authenticated, for example client_secret_basic or none."),
  person: aText("The username of the person that the request is about."),
  grantType: anyText("The grant_type of a token request."),
  arrivedBy: aList(
    anyText(),
    "How an authorization request arrived: pushed request, signed request object. Absent: as parameters in the address.",
  ),
  pkce: oneOf(["S256", "none"], "The code_challenge_method of an authorization request."),
  provenKey: aText("The key that the client proved, for example jkt and its thumbprint with DPoP."),
  scope: aList(anyText(), "The requested or granted scope."),
  resource: aList(anyText(), "The requested APIs."),
  refusal,
  advice: described(
    "A rule that the request broke and that the server does not enforce, or why a token is inactive.",
    openObject(adviceMembers, { required: ["reason", "description"] }),
  ),
  backChannelLogout: textMembers(
    "The clients that the server notified of a sign-out, each with the result: told, answered 400, did not answer.",
  ),
  fault: aText("The name of an unexpected error inside the server or a hook."),
  altered: aList(
    openObject({ seam: aText(), by: aText("The name of the hook.") }),
    "The hooks that changed the response, and the seams at which they did.",
  ),
  lost: aFlag("true: the server handled the request, but the response did not arrive."),
  flow: aText(
    "The id of the flow. All requests of a flow have it, from the authorization to the last refresh.",
  ),
  trace: described(
    "The trace that the client names in its header traceparent (W3C Trace Context).",
    openObject({ traceId: aText(), parentId: aText(), isSampled: aFlag() }),
  ),
  params: {
    ...anObject(),
    additionalProperties: either(
      "Text, or a list of texts if the parameter was repeated.",
      anyText(),
      aList(anyText()),
    ),
    description: "The parameters of the query and the form. Values that may be secret are [redacted].",
  },
  answer: anObject("The JSON object in the response, with its secrets hidden."),
  location: aText("The URL to which the response redirects, without secrets."),
  raw: journalEntry,
};

const alwaysRecorded = ["id", "at", "endpoint", "method", "path", "duration", "params"] as const;

export const recordedRequest: Schema = described(
  "A request and its response without secrets, and the facts that the server recorded.",
  openObject(recordedMembers, { required: alwaysRecorded }),
);
