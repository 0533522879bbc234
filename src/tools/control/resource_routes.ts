/** The routes of APIs that accept the tokens of this server. Each gets an id when it is created. */

import { mayHaveBody } from "../../ground/http/message.ts";
import {
  readResourceUrl,
  type ResourceChanges,
  type ResourceTerms,
} from "../../kit/mock/resources/resource_terms.ts";
import { isBelow, type ResourceRule } from "../../kit/mock/resources/rules.ts";
import { requireNotNegative } from "../../kit/mock/terms/duration.ts";
import type { Claims } from "../../ground/values/members.ts";
import { createCallerAnswer, type JsonAnswer, requireJsonAnswer, writeJsonAnswer } from "./caller_answer.ts";
import { withPlace, wrongValue } from "../guard/control_refused.ts";
import type { RegisteredResource, ResourceTermsBody } from "./controlled_tenants.ts";
import { guardResourceRoute } from "./guard_resource_route.ts";
import { inSeconds } from "./in_seconds.ts";
import { answerRequests, requestList, requestsQuery } from "./journal_routes.ts";
import { resource, resourceChanges, type ResourceChangesBody, resourceOptions } from "./resource_schemas.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { controlPath } from "../guard/control_paths.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import { withoutNulls } from "./without_nulls.ts";
import { present } from "../../ground/values/present.ts";

/** The names that OAuth has for the terms. */
const termAliases: Readonly<Record<string, string>> = {
  resource: "url",
  acr_values: "acr",
  max_age: "maxAge",
  scopes_supported: "scopes",
  authorization_servers: "authorizationServers",
};

export const resourceRoutes: readonly ControlRoute[] = [
  route("GET /resources", "listResources", {
    summary: "Lists the APIs, and how many requests to each one are recorded.",
    answer: schema.listOf("resources", resource, "All APIs, the oldest first."),
    handle: ({ resources }) => ({ resources: resources.list().map(describeResource) }),
  }),
  route("POST /resources", "createResource", {
    summary:
      "Creates an API that accepts tokens of this server, publishes its metadata (RFC 9728) and records its requests. " +
      "At a path, this server answers for the API: clients call it with an access token, and without the token of the " +
      "control plane. At another URL, your program answers, and asks guard about each request.",
    body: schema.closedObject({
      url: schema.text(
        "A path at the origin of the issuer, for example /orders, or the URL of an API of your own.",
      ),
      ...resourceOptions,
    }, {
      required: ["url"],
      example: { url: "/orders", scope: "orders", answer: { body: ["one order"] } },
    }),
    aliases: termAliases,
    created: resource,
    handle: createResource,
  }),
  route("GET /resources/{resource}", "showResource", {
    summary: "Returns the API with its terms.",
    answer: resource,
    handle: ({ resources, id }) => describeResource([id, resources.require(id)]),
  }),
  route("PATCH /resources/{resource}", "changeResource", {
    summary: "Changes what the API requires, publishes and answers. Terms that are left out stay.",
    body: schema.closedObject(resourceChanges, {
      example: { scope: "orders.write", challenge: { scope: "missing" } },
    }),
    aliases: termAliases,
    answer: resource,
    handle: changeResource,
  }),
  route("DELETE /resources/{resource}", "removeResource", {
    summary: "Removes the API. Its address answers 404 then.",
    handle: ({ resources, id }) => resources.remove(id).resource[Symbol.dispose](),
  }),
  route("GET /resources/{resource}/requests", "listResourceRequests", {
    summary:
      "Lists the recorded requests to the API, also those that guard has checked. If none matches, wait says how long " +
      "the call waits for one.",
    query: schema.closedObject(requestsQuery, { example: { wait: 10 } }),
    answer: requestList,
    handle({ resources, id, query }) {
      const { requests } = resources.require(id).resource;
      return answerRequests(requests, requests.next, query);
    },
  }),
  guardResourceRoute,
];

function createResource(
  { tenant, resources, body: { url: given, ...body } }: Call<ResourceTermsBody & { readonly url: string }>,
): Reply {
  const { origin } = new URL(tenant.issuer);
  const url = withPlace("url", () => readResourceUrl(given, origin));
  requireOutsideControl("url", url, origin);
  requireValues(body);
  const created = withPlace("metadata", () =>
    tenant.resource(
      given,
      readOptions(body, url) as ResourceTerms,
      (_request, claims) => createAnswer(registered.terms.answer, claims),
    ));
  const registered: RegisteredResource = { resource: created, terms: body };
  return describeResource([resources.add(registered), registered]);
}

/** The control plane answers below its path, also if an API has this path. */
export function requireOutsideControl(place: string, url: string, origin: string): void {
  if (new URL(url).origin !== origin || !isBelow(new URL(url).pathname, controlPath)) return;
  throw wrongValue(place, `must be a path outside of ${controlPath}`);
}

function changeResource({ resources, id, body }: Call<ResourceChangesBody>): Reply {
  const registered = resources.require(id);
  const { resource } = registered;
  const changed = withoutNulls(body);
  requireValues(changed);
  withPlace("metadata", () => resource.change(readOptions(changed, resource.url)));
  registered.terms = present({ ...registered.terms, ...changed });
  return describeResource([id, registered]);
}

type Changes = { readonly [name in keyof ResourceTermsBody]?: ResourceTermsBody[name] | undefined };

function requireValues({ maxAge, rules = [], answer }: Changes): void {
  const all: readonly (readonly [place: string, terms: Pick<ResourceRule, "maxAge">])[] = [
    ["maxAge", present({ maxAge })],
    ...rules.map((rule, index) => [`rules[${index}].maxAge`, rule] as const),
  ];
  for (const [place, { maxAge: age }] of all) {
    if (age !== undefined) withPlace(place, () => requireNotNegative(age, `require ${place}`));
  }
  if (answer !== undefined) requireJsonAnswer(answer, "answer.headers");
}

function createAnswer(answer: JsonAnswer = {}, claims: Claims): Response {
  const { status = 200, body = mayHaveBody(status) ? claims : undefined } = answer;
  return createCallerAnswer(writeJsonAnswer({ ...answer, ...present({ body }) }));
}

/** `undefined` restores the default. `url` is that of the API. */
function readOptions({ answer: _answer, ...given }: Changes, url: string): ResourceChanges {
  const { metadata, document } = given;
  return {
    ...given,
    ...present({ metadata: metadata === undefined ? undefined : readMetadata(metadata, url) }),
    ...present({ document: document && withoutNulls(document) }),
  } as ResourceChanges;
}

/** Returns text that is no URL unchanged, because the test kit refuses it and says what is expected. */
function readMetadata(metadata: string | false, url: string): unknown {
  if (typeof metadata !== "string") return metadata;
  const located = metadata.startsWith("/") ? new URL(url).origin + metadata : metadata;
  return URL.canParse(located) ? new URL(located) : metadata;
}

function describeResource(
  [id, { resource, terms }]: readonly [id: string, registered: RegisteredResource],
): object {
  const { url, metadataUrl, requests } = resource;
  const rules = terms.rules?.map((rule) => inSeconds(rule, "maxAge"));
  const shown = { ...inSeconds(terms, "maxAge"), ...present({ rules }) };
  return { id, url, ...present({ metadataUrl }), ...shown, requests: requests.length };
}
