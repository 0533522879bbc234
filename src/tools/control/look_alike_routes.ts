/** The routes of look-alikes. */

import { lookAlikeNames } from "../../kit/faults/look_alikes/providers.ts";
import type { LookLikeTerms } from "../../kit/mock/misbehaving/look_like.ts";
import type { SwitchedLookAlike } from "../../kit/mock/misbehaving/switched_on.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { requireNumbered } from "../guard/require_numbered.ts";
import { type ControlRoute, route } from "./route.ts";
import { membersOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";

const lookAlikeMembers = {
  name: schema.oneOf(lookAlikeNames, "The provider."),
  ...membersOf<LookLikeTerms>("LookLikeTerms"),
};

export const lookAlike: Schema = schema.openObject({
  id: schema.text("Its name in the paths of other calls, for example look_alike-1."),
  ...lookAlikeMembers,
  count: schema.integer("How many answers were as the provider sends them."),
}, { required: ["id", "name", "count"] });

export const lookAlikeRoutes: readonly ControlRoute[] = [
  route("GET /look_alikes", "listLookAlikes", {
    summary: "Lists the look-alikes that are on.",
    answer: schema.listOf("look_alikes", lookAlike, "Those that are on, the oldest first."),
    handle: ({ parts }) => ({ look_alikes: parts.switchedOn.lookAlikes.map(describeLookAlike) }),
  }),
  route("POST /look_alikes", "createLookAlike", {
    summary:
      "Makes the server answer as a well-known provider does where the provider differs from the standards, until the " +
      "look-alike is removed, or until a reset.",
    body: schema.closedObject(lookAlikeMembers, { required: ["name"], example: { name: "github" } }),
    created: lookAlike,
    handle({ tenant, parts, body: { name, ...terms } }) {
      tenant.lookLike(name, terms);
      return describeLookAlike(parts.switchedOn.lookAlikes.at(-1)!);
    },
  }),
  route("DELETE /look_alikes/{look_alike}", "removeLookAlike", {
    summary: "Switches the look-alike off.",
    handle: ({ parts, id }) =>
      requireNumbered("look_alike", id, parts.switchedOn.lookAlikes).looking[Symbol.dispose](),
  }),
];

function describeLookAlike({ id, terms, looking: { name, count } }: SwitchedLookAlike): object {
  return { id, name, ...terms, count };
}
