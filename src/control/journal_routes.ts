/** The journal over HTTP: what was call and answered, at once or as soon as there is something. */

import type { EndpointName } from "../mock/endpoints.ts";
import { describeFault, type RecordedRequest } from "../mock/journal/recorded_request.ts";
import { type TimelineForm, timelineForms } from "../mock/journal/timeline.ts";
import type { JournalEntry } from "../oauth/journal.ts";
import type { Schema } from "../schema/schema.ts";
import { recordedRequest } from "./recorded_request_schema.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, endpointName, open, raw, text, wait } from "./schemas.ts";

export const timelineForm: Schema = { type: "string", enum: timelineForms };

interface RequestsQuery {
  readonly endpoint?: EndpointName;
  readonly client?: string;
  readonly after?: string;
  readonly wait?: number;
  readonly raw?: boolean;
}

const timelineTypes: Readonly<Record<TimelineForm, string>> = {
  text: "text/plain; charset=utf-8",
  jsonl: "application/jsonl",
  har: "application/json",
  mermaid: "text/vnd.mermaid; charset=utf-8",
};

/** Without their parameters, as an OpenAPI document lists them. */
const timelineMediaTypes: readonly string[] = Object.values(timelineTypes).map((type) => type.split(";")[0]!);

export const journalRoutes: readonly ControlRoute[] = [
  route<unknown, RequestsQuery>({
    method: "GET",
    path: "/requests",
    name: "listRequests",
    summary:
      "What was call and answered, with the facts that the server found out; at once, or when there is something.",
    schema: {
      query: closed({
        endpoint: endpointName,
        client: text,
        after: { ...text, description: "The id of the last one that is known already." },
        wait,
        raw,
      }),
      answer: {
        schema: open({
          requests: {
            type: "array",
            items: recordedRequest,
          },
          dropped: {
            type: "integer",
            description:
              "How many are gone because newer ones needed their place: at most 10,000 are kept, " +
              "of 32 million characters together.",
          },
        }),
      },
    },
    handle: listRequests,
  }),
  route<unknown, { readonly form?: TimelineForm }>({
    method: "GET",
    path: "/timeline",
    name: "showTimeline",
    summary: "What happened, without secrets: lines of text or JSON, a HAR file, or a diagram.",
    schema: {
      query: closed({ form: timelineForm }),
      answer: { types: timelineMediaTypes, schema: { description: "As the form says." } },
    },
    handle: showTimeline,
  }),
  route({
    method: "GET",
    path: "/explain",
    name: "explain",
    summary: "The last refusal and the last advice: the rule, what was expected, and what came.",
    schema: {
      answer: {
        schema: open({
          explanation: { ...text, description: "Left out: there is no refusal and no advice." },
        }, []),
      },
    },
    handle: ({ tenant }) => ({ json: { explanation: tenant.explain() } }),
  }),
];

async function listRequests({ tenant, query }: Call<unknown, RequestsQuery>): Promise<Reply> {
  const { endpoint, client, wait = 0, raw = false } = query;
  const { requests } = tenant;
  const find = () => findAfter(requests.toArray(), query);
  let found = find();
  if (found.length === 0 && wait > 0) {
    const terms = { timeout: wait, ...(client === undefined ? {} : { client }) };
    // None came, or none will: that is an empty list.
    await requests.next(endpoint, terms).catch(() => {});
    found = find();
  }
  return {
    json: {
      requests: found.map((each) => raw ? describeRaw(each) : describe(each)),
      dropped: requests.dropped,
    },
  };
}

/** An id that is not there is one of those that are kept no more: then all came later. */
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

/** Of a fault only its name: its message may hold anything. */
function describe({ raw: _raw, fault, ...facts }: RecordedRequest): object {
  return {
    ...facts,
    duration: roundToMilliseconds(facts.duration),
    ...(fault === undefined ? {} : { fault: describeFault(fault) }),
  };
}

/** The difference of two times has digits that nobody measured. */
function roundToMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function describeRaw(request: RecordedRequest): object {
  const entry = request.raw();
  const { fault, ...facts } = entry.facts;
  const shown: JournalEntry = {
    ...entry,
    duration: roundToMilliseconds(entry.duration),
    facts: fault === undefined ? facts : { ...facts, fault: String(fault) },
  };
  return { ...describe(request), raw: shown };
}

function showTimeline(
  { tenant, query: { form = "text" } }: Call<unknown, { readonly form?: TimelineForm }>,
): Reply {
  return { text: tenant.timeline(form), type: timelineTypes[form] };
}
