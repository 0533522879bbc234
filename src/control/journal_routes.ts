/** The journal over HTTP: recorded requests, the timeline and the last refusal. */

import type { EndpointName } from "../mock/endpoints.ts";
import { describeFault, type RecordedRequest } from "../mock/journal/recorded_request.ts";
import { type TimelineForm, timelineForms } from "../mock/journal/timeline.ts";
import type { JournalEntry } from "../oauth/journal.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { recordedRequest } from "./recorded_request_schema.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, endpointName, open, raw, wait } from "./schemas.ts";

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

/** For the OpenAPI document, which lists media types without parameters. */
const timelineMediaTypes: readonly string[] = Object.values(timelineTypes).map((type) => type.split(";")[0]!);

export const journalRoutes: readonly ControlRoute[] = [
  route<unknown, RequestsQuery>({
    method: "GET",
    path: "/requests",
    name: "listRequests",
    summary: "Recorded requests, with the facts that the server noted: at once, or as soon as there is one.",
    schema: {
      query: closed({
        endpoint: endpointName,
        client: text,
        after: { ...text, description: "The id of the last request that the caller has already." },
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
              "How many requests were dropped for newer ones: at most 10,000 are kept, with 32 million " +
              "characters in all.",
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
    summary: "The timeline without secrets: lines of text or JSON, a HAR file, or a diagram.",
    schema: {
      query: closed({ form: timelineForm }),
      answer: { types: timelineMediaTypes, schema: { description: "In the chosen form." } },
    },
    handle: showTimeline,
  }),
  route({
    method: "GET",
    path: "/explain",
    name: "explain",
    summary: "The last refusal and the last advice: the rule, what was expected, and what was received.",
    schema: {
      answer: {
        schema: open({
          explanation: { ...text, description: "Left out: there is neither a refusal nor advice." },
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
    // A timeout, or the end of the mock: the list stays empty.
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

/** The request with an unknown id was dropped, so all others came later. */
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

/** Shows only the name of a fault. Its message may hold a secret. */
function describe({ raw: _raw, fault, ...facts }: RecordedRequest): object {
  return {
    ...facts,
    duration: roundToMilliseconds(facts.duration),
    ...(fault === undefined ? {} : { fault: describeFault(fault) }),
  };
}

/** The difference of two floats has more digits than the clock measures. */
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
