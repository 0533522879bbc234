/** Hooks over HTTP: each has an id, and is a patch instead of a function. */

import type { HookName, HookTerms, HookValues } from "../mock/conditions/hooks.ts";
import type { Tenant } from "../mock/tenant.ts";
import type { Schema } from "../schema/schema.ts";
import type { HookBody, KeptHook } from "./controlled_tenants.ts";
import { mergePatch } from "./merge_patch.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, flag, integer, listOf, members, open, text } from "./schemas.ts";

/** What a patch of each hook may hold: a value of another shape could not be said. */
const patches: Readonly<Record<HookName, Schema>> = {
  metadata: members,
  jwks: closed({ keys: { type: "array", items: members } }),
  authorization_response: closed({
    redirectUri: text,
    mode: text,
    params: { type: "array", items: { type: "array", items: { type: "string" } } },
  }),
  token_response: closed({ status: { type: "integer", minimum: 200, maximum: 599 }, members }),
  access_token: members,
  id_token: members,
  userinfo: members,
  introspection: members,
  logout_token: members,
  jwt: closed({ header: members, claims: members }),
  response: closed({
    status: { type: "integer", minimum: 200, maximum: 599 },
    headers: members,
    body: { type: "string" },
  }),
};

export const hookName: Schema = { type: "string", enum: Object.keys(patches) };

const hookTerms: Readonly<Record<string, Schema>> = {
  once: { ...flag, description: "Only for the first value that client and username match." },
  client: { ...text, description: "For this client alone." },
  username: { ...text, description: "For this person alone." },
};

const hookBodySchema: Schema = {
  ...closed({
    name: hookName,
    patch: { ...members, description: "A part of what is said: null takes a member away." },
    ...hookTerms,
  }, {
    required: ["name", "patch"],
    example: { name: "id_token", patch: { email: null, role: "admin" } },
  }),
  anyOf: Object.entries(patches).map(([name, patch]) => ({
    title: name,
    type: "object",
    required: ["name", "patch"],
    properties: { name: { type: "string", const: name }, patch },
  })),
};

export const hook: Schema = open({
  id: text,
  name: hookName,
  patch: members,
  ...hookTerms,
  used: { ...integer, description: "How often it has changed something." },
}, ["id", "name", "patch", "used"]);

export const hookRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/hooks",
    name: "listHooks",
    summary: "The hooks that were made here, and how often each was used.",
    schema: { answer: { schema: listOf("hooks", hook) } },
    handle: ({ hooks }) => ({ json: { hooks: hooks.list().map(describeHook) } }),
  }),
  route<HookBody>({
    method: "POST",
    path: "/hooks",
    name: "makeHook",
    summary: "Changes what is said on its way out, by a merge patch (RFC 7396): null takes a member away.",
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
    summary: "Things are said as they are again.",
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
    return mergePatch(value, patch);
  });
  const kept: KeptHook = { body, used: () => used, end };
  return { json: describeHook([hooks.add(kept), kept]) };
}

/** The patch fits the hook's value by its schema, and so does what it makes of it. */
function addHook<N extends HookName>(
  tenant: Tenant,
  name: N,
  terms: HookTerms,
  change: (value: HookValues[N]) => unknown,
): Disposable {
  return tenant.on(name, (value) => change(value) as HookValues[N], terms);
}

function describeHook([id, { body, used }]: readonly [id: string, kept: KeptHook]): object {
  return { id, ...body, used: used() };
}

function removeHook({ hooks, id }: Call): Reply {
  hooks.remove(id).end[Symbol.dispose]();
}
