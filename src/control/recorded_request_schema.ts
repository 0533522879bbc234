/** The schemas of a recorded request and of a refusal. */

import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import type { Advice, Refusal } from "../oauth/journal.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { anyText, either, endpointName, flag, integer, members, number, open } from "./schemas.ts";

// A new member of a refusal or of a recorded request must be described here, or this does not compile.
const refusalMembers: Readonly<Record<keyof Refusal, Schema>> = {
  error: { ...text, description: "The code that clients see: invalid_grant." },
  reason: { ...text, description: "The exact cause: verifier_wrong." },
  description: { ...text, description: "The cause in a sentence." },
  spec: { ...text, description: "The rule: RFC 7636 §4.6." },
  expected: anyText,
  received: anyText,
  remedy: { ...text, description: "How to correct it." },
};

const { reason, description, spec, expected } = refusalMembers;

const adviceMembers: Readonly<Record<keyof Advice, Schema>> = { reason, description, spec, expected };

export const refusal: Schema = {
  ...open(refusalMembers, ["error", "reason", "description"]),
  description: "Why the authorization server refused.",
};

const anyTexts: Schema = { type: "array", items: anyText };

const headers: Schema = { type: "array", items: anyTexts };

export const journalEntry: Schema = {
  ...open({
    id: text,
    receivedAt: number,
    duration: number,
    request: open({ method: text, path: text, query: anyText, headers, body: anyText }, [
      "method",
      "path",
      "query",
      "headers",
    ]),
    response: open({ status: integer, headers, body: anyText }, ["status", "headers"]),
    facts: { ...members, description: "As the server noted them." },
  }),
  description: "With raw=true only: the exchange with its secrets.",
};

const recordedMembers: Readonly<Record<keyof RecordedRequest, Schema>> = {
  id: { ...text, description: "For ?after." },
  at: {
    ...number,
    description:
      "When the request arrived, before any gate or delay: seconds since 1970 by the server's clock.",
  },
  endpoint: endpointName,
  method: text,
  path: text,
  status: integer,
  duration: { ...number, description: "Seconds until the answer, by the server's clock." },
  clientId: anyText,
  clientAuth: { ...anyText, description: "How the client authenticated: client_secret_basic, none." },
  person: { ...text, description: "The username of the person that the request is about." },
  grantType: anyText,
  pkce: { type: "string", enum: ["S256", "none"] },
  scope: { ...anyTexts, description: "The requested or granted scope." },
  resource: anyTexts,
  refusal,
  advice: {
    ...open(adviceMembers, ["reason", "description"]),
    description: "A rule that the request broke and that the server does not enforce.",
  },
  backChannelLogout: {
    type: "object",
    additionalProperties: anyText,
    description: "The clients that a sign-out told, and what came of it: told, answered 400, did not answer.",
  },
  fault: { ...text, description: "The name of the error inside the server or a hook." },
  altered: {
    type: "array",
    items: open({ seam: text, by: { ...text, description: "The name of the hook." } }),
    description: "The hooks that changed the answer, and at which seams.",
  },
  lost: { ...flag, description: "true: the server did its work, and the answer did not arrive." },
  flow: {
    ...text,
    description: "The same id for all requests of one flow, from the authorization to the last refresh.",
  },
  params: {
    type: "object",
    additionalProperties: either(
      "Text, or a list where a parameter was repeated.",
      anyText,
      anyTexts,
    ),
    description: "From the query and the form. Values that may be secret are [redacted].",
  },
  answer: { ...members, description: "The JSON object of the answer, with its secrets hidden." },
  location: { ...text, description: "Where the browser was sent, without secrets." },
  raw: journalEntry,
};

const alwaysRecorded = ["id", "at", "endpoint", "method", "path", "status", "duration", "params"] as const;

export const recordedRequest: Schema = {
  ...open(recordedMembers, alwaysRecorded),
  description: "One request and its answer, without secrets, and the facts that the server noted.",
};
