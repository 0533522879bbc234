/** The routes of hooks. A hook over HTTP is a JSON merge patch instead of a function. */

import {
  applyPatch,
  type HookName,
  hookNames,
  type HookValues,
  patchSchemaOf,
} from "../../kit/mock/conditions/hook_table.ts";
import type { HookTerms } from "../../kit/mock/conditions/hooks.ts";
import type { Tenant } from "../../kit/mock/tenant.ts";
import type { JsonObject } from "../../ground/schema/json_object.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import type { RegisteredHook } from "./controlled_tenants.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { membersOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { Fitting, SchemaOf } from "../../ground/schema/schema_of.ts";
import { endpointName } from "./schemas.ts";

export const hookName: SchemaOf<HookName> = schema.oneOf(hookNames, "The value to change.");

const hookOptions = {
  ...membersOf<HookTerms>("HookTerms"),
  endpoint: schema.either(
    "Runs the hook only for requests to this endpoint. Only for the hooks jwt, signed and response.",
    endpointName,
  ),
};

const hookBody = {
  ...schema.closedObject({
    name: hookName,
    patch: schema.object("The members to change. null removes a member."),
    ...hookOptions,
  }, {
    required: ["name", "patch"],
    example: { name: "id_token", patch: { email: null, role: "admin" } },
  }),
  anyOf: hookNames.map((name): Schema => ({
    title: name,
    type: "object",
    required: ["name", "patch"],
    properties: { name: { type: "string", const: name }, patch: patchSchemaOf(name) },
  })),
};

export const hook: Schema = schema.openObject({
  id: schema.text("The name of the hook in the path of DELETE, for example hook-1."),
  name: hookName,
  patch: schema.object("The members to change."),
  ...hookOptions,
  used: schema.integer("How many values the hook has changed."),
}, { required: ["id", "name", "patch", "used"] });

export const hookRoutes: readonly ControlRoute[] = [
  route("GET /hooks", "listHooks", {
    summary: "Lists the hooks, and how often each was used.",
    answer: schema.listOf("hooks", hook, "The hooks that are not removed, the oldest first."),
    handle: ({ hooks }) => ({ hooks: hooks.list().map(describeHook) }),
  }),
  route("POST /hooks", "createHook", {
    summary: "Adds a hook that applies a JSON merge patch (RFC 7396) to a value before the server sends it.",
    body: hookBody,
    created: hook,
    handle: createHook,
  }),
  route("DELETE /hooks/{hook}", "removeHook", {
    summary: "Removes the hook. It no longer changes values.",
    handle: ({ hooks, id }) => hooks.remove(id).end[Symbol.dispose](),
  }),
];

function createHook({ tenant, hooks, body }: Call<Fitting<typeof hookBody>>): Reply {
  const { name, patch, ...terms } = body;
  let used = 0;
  const end = addHook(tenant, name, terms, (value) => {
    used++;
    return applyPatch(name, value, patch);
  });
  const registered: RegisteredHook = { body, used: () => used, end };
  return describeHook([hooks.add(registered), registered]);
}

/** The casts are safe, because the request schema checks the patch, and the test kit checks the patched value. */
function addHook<N extends HookName>(
  tenant: Tenant,
  name: N,
  terms: HookTerms,
  change: (value: JsonObject) => unknown,
): Disposable {
  const hook = (value: HookValues[N]) => change(value as JsonObject) as HookValues[N];
  return tenant.on(name, hook, terms);
}

function describeHook([id, { body, used }]: readonly [id: string, registered: RegisteredHook]): object {
  return { id, ...body, used: used() };
}
