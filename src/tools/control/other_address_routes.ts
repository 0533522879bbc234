/** The routes of other addresses: one method at one URL, with an answer that the caller gives. */

import type { Schema } from "../../ground/schema/schema.ts";
import { readRoute } from "../../kit/mock/resources/route.ts";
import { withPlace } from "../guard/control_refused.ts";
import { createCallerAnswer, type JsonAnswer, requireJsonAnswer, writeJsonAnswer } from "./caller_answer.ts";
import type { RegisteredRoute } from "./controlled_tenants.ts";
import { answerWith } from "./resource_schemas.ts";
import { requireOutsideControl } from "./resource_routes.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemasOf } from "../../ground/schema/schema_of.ts";

interface OtherAddress extends JsonAnswer {
  readonly route: string;
}

const members: SchemasOf<OtherAddress> = {
  route: schema.text(
    'The method and the URL: "GET https://api.github.com/user/orgs". A path instead of the URL is at the origin of the ' +
      "issuer. At the hosts of a look-alike, programs behind the proxy reach it.",
  ),
  ...answerWith("empty"),
};

export const otherAddress: Schema = schema.openObject({
  id: schema.text("The name of the address in the path of DELETE, for example route-1."),
  ...members,
}, { required: ["id", "route"] });

export const otherAddressRoutes: readonly ControlRoute[] = [
  route("GET /routes", "listRoutes", {
    summary: "Lists the addresses that callers have added.",
    answer: schema.listOf("routes", otherAddress, "The addresses that are not removed, the oldest first."),
    handle: ({ routes }) => ({ routes: routes.list().map(describeAddress) }),
  }),
  route("POST /routes", "createRoute", {
    summary:
      "Answers one method at one URL that neither the server nor its look-alike has, until a reset. It checks no token, " +
      "and the journal has its requests.",
    body: schema.closedObject(members, {
      required: ["route"],
      example: { route: "GET https://api.github.com/user/orgs", body: [{ login: "shop-team" }] },
    }),
    created: otherAddress,
    handle: addAddress,
  }),
  route("DELETE /routes/{route}", "removeRoute", {
    summary: "Removes the address.",
    handle: ({ routes, id }) => routes.remove(id).end[Symbol.dispose](),
  }),
];

function addAddress({ tenant, routes, body }: Call<OtherAddress>): Reply {
  const { route: given, ...answer } = body;
  const { origin } = new URL(tenant.issuer);
  requireOutsideControl("route", withPlace("route", () => readRoute(given, origin)).url, origin);
  requireJsonAnswer(answer, "headers");
  const end = tenant.route(given, () => createCallerAnswer(writeJsonAnswer(answer)));
  const registered: RegisteredRoute = { body, end };
  return describeAddress([routes.add(registered), registered]);
}

function describeAddress([id, { body }]: readonly [id: string, registered: RegisteredRoute]): object {
  return { id, ...body };
}
