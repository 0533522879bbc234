/** The schemas of recorded requests and refusals. */

import type { RecordedRequest } from "../../kit/mock/journal/recorded_request.ts";
import type { Refusal } from "../../server/oauth/contracts/journal.ts";
import { requestOutcomes } from "../../kit/timeline/request_outcome.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import * as schema from "./schema_of.ts";
import { endpointName } from "./schemas.ts";

// The types make the compiler report a member of a refusal or a recorded request without a schema.
const refusalMembers: Readonly<Record<keyof Refusal, Schema>> = {
  error: schema.text("The error code that clients see, for example invalid_grant."),
  reason: schema.text("The exact cause, for example verifier_wrong."),
  description: schema.text("The cause in a sentence."),
  spec: schema.text("The rule, for example RFC 7636 §4.6."),
  expected: schema.anyText("What would be right."),
  received: schema.anyText("What the server received. Left out if it may be a secret."),
  change: schema.text("The one change with which the server would have accepted the request."),
  remedy: schema.text("How to correct the mistake."),
};

const { error: _error, ...adviceMembers } = refusalMembers;

export const refusal: Schema = schema.described(
  "Why the authorization server refused the request.",
  schema.openObject(refusalMembers, { required: ["error", "reason", "description"] }),
);

const headers = schema.list(schema.list(schema.anyText()));

export const journalEntry: Schema = {
  ...schema.openObject({
    id: schema.text(),
    receivedAt: schema.number(),
    duration: schema.number(),
    request: schema.openObject({
      method: schema.text(),
      path: schema.text(),
      query: schema.anyText(),
      headers,
      body: schema.anyText(),
    }, { required: ["method", "path", "query", "headers"] }),
    response: schema.openObject({ status: schema.integer(), headers, body: schema.anyText() }, {
      required: ["status", "headers"],
    }),
    facts: schema.object("The facts that the server recorded about the request."),
  }),
  description: "The request and the response with their secrets. Only with raw=true.",
};

const recordedMembers: Readonly<Record<keyof RecordedRequest, Schema>> = {
  id: schema.text("The id of the request, for the query parameter after."),
  at: schema.number(
    "When the request arrived, in seconds since 1970 by the server's clock. A gate or a delay comes later.",
  ),
  endpoint: endpointName,
  method: schema.text("The method of the request, for example POST."),
  path: schema.text("The path without the query."),
  api: schema.text("The URL without the query, for a request to an API of POST /resources."),
  rpc: schema.list(
    schema.anyText(),
    "The JSON-RPC calls in a request to an API of POST /resources, for example tools/call greet.",
  ),
  status: schema.integer(
    "The status of the response. Absent if guard accepted the request, because the caller answers it.",
  ),
  outcome: schema.oneOf(requestOutcomes, "What became of the request. failed: the server itself failed."),
  duration: schema.number("Seconds until the response, by the server's clock."),
  clientId: schema.anyText("The client id."),
  clientAuth: schema.anyText("How the client authenticated, for example client_secret_basic or none."),
  person: schema.text("The username of the person that the request is about."),
  grantType: schema.anyText("The grant_type of a token request."),
  arrivedBy: schema.list(
    schema.anyText(),
    "How an authorization request arrived: pushed request, signed request object. Absent: as parameters in the address.",
  ),
  pkce: schema.oneOf(["S256", "none"], "The code_challenge_method of an authorization request."),
  provenKey: schema.text("The key that the client proved, for example jkt and its thumbprint with DPoP."),
  scope: schema.list(schema.anyText(), "The requested or granted scope."),
  resource: schema.list(schema.anyText(), "The requested APIs."),
  refusal,
  advice: schema.described(
    "A rule that the request broke and that the server does not enforce, or why a token is inactive.",
    schema.openObject(adviceMembers, { required: ["reason", "description"] }),
  ),
  backChannelLogout: schema.textMembers(
    "The clients that the server notified of a sign-out, each with the result: told, answered 400, did not answer.",
  ),
  fault: schema.text("The name of an unexpected error inside the server or a hook."),
  altered: schema.list(
    schema.openObject({ seam: schema.text(), by: schema.text("The name of the hook.") }),
    "The hooks that changed the response, and the seams at which they did.",
  ),
  lost: schema.flag("true: the server handled the request, but the response did not arrive."),
  flow: schema.text(
    "The id of the flow. All requests of a flow have it, from the authorization to the last refresh.",
  ),
  trace: schema.described(
    "The trace that the client names in its header traceparent (W3C Trace Context).",
    schema.openObject({ traceId: schema.text(), parentId: schema.text(), isSampled: schema.flag() }),
  ),
  params: {
    ...schema.object(),
    additionalProperties: schema.either(
      "Text, or a list of texts if the parameter was repeated.",
      schema.anyText(),
      schema.list(schema.anyText()),
    ),
    description: "The parameters of the query and the form. Values that may be secret are [redacted].",
  },
  answer: schema.object("The JSON object in the response, with its secrets hidden."),
  location: schema.text("The URL to which the response redirects, without secrets."),
  raw: journalEntry,
};

const alwaysRecorded = ["id", "at", "endpoint", "method", "path", "duration", "params"] as const;

export const recordedRequest: Schema = schema.described(
  "A request and its response without secrets, and the facts that the server recorded.",
  schema.openObject(recordedMembers, { required: alwaysRecorded }),
);
