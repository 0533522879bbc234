/** Hooks over HTTP: each has an id, and is a merge patch instead of a function. */

import {
  applyPatch,
  type HookName,
  hookNames,
  type HookValues,
  patchSchemaOf,
} from "../mock/conditions/hook_table.ts";
import type { HookTerms } from "../mock/conditions/hooks.ts";
import type { Tenant } from "../mock/tenant.ts";
import type { JsonObject } from "../schema/json_object.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import type { HookBody, KeptHook } from "./controlled_tenants.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, flag, integer, listOf, members, open } from "./schemas.ts";

export const hookName: Schema = { type: "string", enum: hookNames };

const hookTerms: Readonly<Record<string, Schema>> = {
  once: { ...flag, description: "Only for the first value that client and username match." },
  client: { ...text, description: "For this client only." },
  username: { ...text, description: "For this person only." },
};

const hookBodySchema: Schema = {
  ...closed({
    name: hookName,
    patch: { ...members, description: "The members that change. null removes a member." },
    ...hookTerms,
  }, {
    required: ["name", "patch"],
    example: { name: "id_token", patch: { email: null, role: "admin" } },
  }),
  anyOf: hookNames.map((name) => ({
    title: name,
    type: "object",
    required: ["name", "patch"],
    properties: { name: { type: "string", const: name }, patch: patchSchemaOf(name) },
  })),
};

export const hook: Schema = open({
  id: text,
  name: hookName,
  patch: members,
  ...hookTerms,
  used: { ...integer, description: "How many values it has changed." },
}, ["id", "name", "patch", "used"]);

export const hookRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/hooks",
    name: "listHooks",
    summary: "The hooks, and how often each was used.",
    schema: { answer: { schema: listOf("hooks", hook) } },
    handle: ({ hooks }) => ({ json: { hooks: hooks.list().map(describeHook) } }),
  }),
  route<HookBody>({
    method: "POST",
    path: "/hooks",
    name: "makeHook",
    summary: "Changes a value on its way out, by a merge patch (RFC 7396).",
    schema: {
      body: hookBodySchema,
      alsoCalled: { person: "username" },
      answer: { status: 201, schema: hook },
    },
    handle: makeHook,
  }),
  route({
    method: "DELETE",
    path: "/hooks/{hook}",
    name: "removeHook",
    summary: "Removes the hook. Values are unchanged again.",
    schema: {},
    handle: removeHook,
  }),
];

function makeHook({ tenant, hooks, body }: Call<HookBody>): Reply {
  const { name, patch, username: person, ...others } = body;
  const terms = { ...others, ...(person === undefined ? {} : { person }) };
  let used = 0;
  const end = addHook(tenant, name, terms, (value) => {
    used++;
    return applyPatch(name, value, patch);
  });
  const kept: KeptHook = { body, used: () => used, end };
  return { json: describeHook([hooks.add(kept), kept]) };
}

/** The patch fits its schema, and the kit checks what the patch makes of the value. */
function addHook<N extends HookName>(
  tenant: Tenant,
  name: N,
  terms: HookTerms,
  change: (value: JsonObject) => unknown,
): Disposable {
  const hook = (value: HookValues[N]) => change(value as JsonObject) as HookValues[N];
  return tenant.on(name, hook, terms);
}

function describeHook([id, { body, used }]: readonly [id: string, kept: KeptHook]): object {
  return { id, ...body, used: used() };
}

function removeHook({ hooks, id }: Call): Reply {
  hooks.remove(id).end[Symbol.dispose]();
}
