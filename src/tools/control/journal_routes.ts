/** The routes of the journal: recorded requests, the timeline, and the explanation of the last refusal. */

import type { EndpointName } from "../../kit/mock/endpoints.ts";
import type { NextTerms } from "../../kit/mock/journal/next_request.ts";
import { describeFault, type RecordedRequest } from "../../kit/mock/journal/recorded_request.ts";
import type { Requests } from "../../kit/mock/journal/recorder.ts";
import { type TimelineForm, timelineForms } from "../../kit/mock/journal/timeline.ts";
import type { JournalEntry } from "../../server/oauth/contracts/journal.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { recordedRequest } from "./recorded_request_schema.ts";
import { type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemaOf, SchemasOf } from "../../ground/schema/schema_of.ts";
import { endpointName, raw, wait } from "./schemas.ts";
import { present } from "../../ground/values/present.ts";

export const timelineForm: SchemaOf<TimelineForm> = schema.oneOf(
  timelineForms as readonly TimelineForm[],
  "The format. Default: text.",
);

interface RequestsQuery {
  readonly endpoint?: EndpointName;
  readonly client?: string;
  readonly after?: string;
  readonly wait?: number;
  readonly raw?: boolean;
}

export const requestsQuery: SchemasOf<Omit<RequestsQuery, "endpoint">> = {
  client: schema.text("Only requests of the client with this client id."),
  after: schema.text("Returns only requests recorded after the request with this id."),
  wait,
  raw,
};

export const requestList: Schema = schema.openObject({
  requests: schema.list(recordedRequest, "The matching requests, the oldest first."),
  dropped: schema.integer(
    "How many old requests were removed. At most 10,000 requests and 32 MB are kept.",
  ),
});

const timelineTypes: Readonly<Record<TimelineForm, string>> = {
  text: "text/plain; charset=utf-8",
  jsonl: "application/jsonl",
  har: "application/json",
  html: "text/html; charset=utf-8",
  mermaid: "text/vnd.mermaid; charset=utf-8",
};

/** The media types without parameters, for the OpenAPI document. */
const timelineMediaTypes: readonly string[] = Object.values(timelineTypes).map((type) => type.split(";")[0]!);

export const journalRoutes: readonly ControlRoute[] = [
  route("GET /requests", "listRequests", {
    summary:
      "Lists the recorded requests. If none matches, wait says how long the call waits for one. The times are those of " +
      "Postern's clock.",
    query: schema.closedObject({ endpoint: endpointName, ...requestsQuery }, {
      example: { endpoint: "token", wait: 10 },
    }),
    answer: requestList,
    handle: ({ tenant: { requests }, query }) =>
      answerRequests(requests, (terms) => requests.next(query.endpoint, terms), query),
  }),
  route("GET /timeline", "showTimeline", {
    summary:
      "Returns the timeline without secrets, as text, JSON lines, a HAR file, a Mermaid diagram, or one HTML file that explains each request.",
    query: schema.closedObject({ form: timelineForm }, { example: { form: "mermaid" } }),
    answer: { description: "The timeline in the format that form selects." },
    types: timelineMediaTypes,
    async handle({ tenant, query: { form = "text" } }) {
      const text = form === "html" ? await tenant.timeline(form) : tenant.timeline(form);
      return { text, type: timelineTypes[form] };
    },
  }),
  route("GET /explain", "explain", {
    answer: schema.openObject({
      explanation: schema.text("The explanation. Absent if no request was refused and no advice was given."),
    }, { required: [] }),
    handle: ({ tenant }) => ({ explanation: tenant.explain() }),
  }),
];

/** `waitForNext` waits for another request, if none matches and the query says `wait`. */
export async function answerRequests(
  requests: Pick<Requests, "toArray" | "dropped">,
  waitForNext: (terms: NextTerms) => Promise<unknown>,
  query: RequestsQuery,
): Promise<Reply> {
  const { client, wait = 0, raw = false } = query;
  const find = () => findAfter(requests.toArray(), query);
  let found = find();
  if (found.length === 0 && wait > 0) {
    const terms = { timeout: wait, ...present({ client }) };
    // After a timeout or the end of the mock, the list is empty.
    await waitForNext(terms).catch(() => {});
    found = find();
  }
  return {
    requests: found.map((each) => raw ? describeRaw(each) : describeRecorded(each)),
    dropped: requests.dropped,
  };
}

/** An unknown `after` id is treated as the id of a removed request, so all requests are returned. */
function findAfter(
  all: readonly RecordedRequest[],
  { endpoint, client, after }: RequestsQuery,
): readonly RecordedRequest[] {
  const later = after === undefined ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
  return later.filter((each) =>
    (endpoint === undefined || each.endpoint === endpoint) &&
    (client === undefined || each.clientId === client)
  );
}

/** Without secrets. Shows only the name of a fault, because its message may contain a secret. */
export function describeRecorded({ raw: _raw, fault, ...facts }: RecordedRequest): object {
  return {
    ...facts,
    duration: roundToMilliseconds(facts.duration),
    ...present({ fault: fault === undefined ? undefined : describeFault(fault) }),
  };
}

/** The difference of two floats has more digits than the clock measures. */
function roundToMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function describeRaw(request: RecordedRequest): object {
  const entry = request.raw();
  const { fault, ...facts } = entry.facts;
  const rawEntry: JournalEntry = {
    ...entry,
    duration: roundToMilliseconds(entry.duration),
    facts: fault === undefined ? facts : { ...facts, fault: String(fault) },
  };
  return { ...describeRecorded(request), raw: rawEntry };
}
