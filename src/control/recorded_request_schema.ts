/** The schemas of a recorded request and of a refusal. */

import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import type { Advice, Refusal } from "../oauth/journal.ts";
import type { Schema } from "../schema/schema.ts";
import { anyText, either, endpointName, flag, integer, members, number, open, text } from "./schemas.ts";

// Whatever comes to a refusal, or to a recorded request, has to be described here, or this does not compile.
const refusalMembers: Readonly<Record<keyof Refusal, Schema>> = {
  error: { ...text, description: "The code that clients see: invalid_grant." },
  reason: { ...text, description: "The exact cause: verifier_wrong." },
  description: { ...text, description: "The same for people." },
  spec: { ...text, description: "The rule: RFC 7636 §4.6." },
  expected: anyText,
  received: anyText,
  remedy: { ...text, description: "What to do about it." },
};

const { reason, description, spec, expected } = refusalMembers;

const adviceMembers: Readonly<Record<keyof Advice, Schema>> = { reason, description, spec, expected };

export const refusal: Schema = {
  ...open(refusalMembers, ["error", "reason", "description"]),
  description: "What the authorization server said no to, and why.",
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
  description: "With raw=true alone: the exchange as it was, with its secrets.",
};

const recordedMembers: Readonly<Record<keyof RecordedRequest, Schema>> = {
  id: { ...text, description: "For ?after." },
  at: {
    ...number,
    description: "When it arrived, before any gate or delay, in seconds since 1970, by the server's clock.",
  },
  endpoint: endpointName,
  method: text,
  path: text,
  status: integer,
  duration: { ...number, description: "Seconds from then to its answer, by the server's clock." },
  clientId: anyText,
  clientAuth: { ...anyText, description: "How the client proved who it is: client_secret_basic, none." },
  person: { ...text, description: "The username of whoever it is about." },
  grantType: anyText,
  pkce: { type: "string", enum: ["S256", "none"] },
  scope: { ...anyTexts, description: "What was call for, or granted." },
  resource: anyTexts,
  refusal,
  advice: {
    ...open(adviceMembers, ["reason", "description"]),
    description: "A rule that the request broke and that the server does not insist on.",
  },
  backChannelLogout: {
    type: "object",
    additionalProperties: anyText,
    description: "By client, whom a sign-out told: told, answered 400, did not answer.",
  },
  fault: { ...text, description: "The name of what went wrong inside the server or a hook." },
  altered: {
    type: "array",
    items: open({ seam: text, by: { ...text, description: "The name of the hook." } }),
    description: "The hooks that changed what the server said, and at which seams.",
  },
  lost: { ...flag, description: "true: the work was done, and the answer did not arrive." },
  flow: {
    ...text,
    description: "The same for all requests of one flow, from the authorization to the last refresh.",
  },
  params: {
    type: "object",
    additionalProperties: either(
      "Text, or a list where there were several.",
      anyText,
      anyTexts,
    ),
    description: "From the query and the form. Harmless values are readable, all others are [redacted].",
  },
  answer: { ...members, description: "The JSON object that was answered, with its secrets hidden." },
  location: { ...text, description: "Where the browser was sent, without the secrets in it." },
  raw: journalEntry,
};

const alwaysRecorded = ["id", "at", "endpoint", "method", "path", "status", "duration", "params"] as const;

export const recordedRequest: Schema = {
  ...open(recordedMembers, alwaysRecorded),
  description:
    "One request and its answer: what the server found out, and what may be shown of what was said.",
};
