/** The table of hooks. A row has the seam, the shape of the value, the patch, and a sentence for documents. */

import { joinJwt, type JwtParts, splitJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { SeamName, SeamValues } from "../../../server/oauth/contracts/seams.ts";
import { isJsonObject, type JsonObject } from "../../../ground/schema/json_object.ts";
import { otherNames, type Schema } from "../../../ground/schema/schema.ts";

interface HookRow {
  readonly seam: SeamName;
  readonly about: string;
  /** Absent: any object. */
  readonly shape?: Schema;
  /** The events of oauth2-mock-server that this hook replaces. */
  readonly replaces?: readonly string[];
  /** Other names that people write for members of the value. */
  readonly otherNames?: Readonly<Record<string, readonly string[]>>;
  /** True if no request for the value names a client or a person. */
  readonly anonymous?: true;
  /** True if requests to several endpoints lead to the value, so that a hook can be for one endpoint. */
  readonly manyEndpoints?: true;
  /** How the control plane changes the value. Absent: by a merge patch (RFC 7396) of the required members. */
  readonly patch?: {
    readonly schema: Schema;
    readonly apply?: (value: JsonObject, patch: JsonObject) => JsonObject;
  };
}

/** The rows by the name of the hook. */
// The types below are derived from this constant, so it may not refer to other constants.
export const hookTable = {
  metadata: {
    seam: "metadata",
    about: "The server's metadata, at both of its addresses.",
    replaces: ["beforeWellKnownOpenIdConfiguration"],
    anonymous: true,
  },
  jwks: {
    seam: "key_set",
    about: "The published keys. The server still signs with its own keys.",
    shape: {
      type: "object",
      required: ["keys"],
      properties: { keys: { type: "array", items: { type: "object" } } },
    },
    anonymous: true,
  },
  authorization_response: {
    seam: "authorization_response",
    about: "The authorization response, a success or an error, before the browser receives it.",
    replaces: ["beforeAuthorizeRedirect"],
    shape: {
      type: "object",
      additionalProperties: false,
      required: ["redirectUri", "mode", "params"],
      properties: {
        redirectUri: { type: "string", minLength: 1 },
        mode: { type: "string", minLength: 1 },
        params: {
          description: 'Pairs such as ["state", "another"], in their order.',
          type: "array",
          items: { type: "array", minItems: 2, maxItems: 2, items: { type: "string" } },
        },
      },
    },
  },
  token_response: {
    seam: "token_response",
    about: "The successful response of the token endpoint, after the server has stored its changes.",
    replaces: ["beforeResponse"],
    shape: {
      type: "object",
      additionalProperties: false,
      required: ["status", "members"],
      properties: {
        status: { type: "integer", minimum: 200, maximum: 599 },
        members: { type: "object" },
      },
    },
    otherNames: { status: ["statusCode"], members: ["body"] },
  },
  access_token: {
    seam: "claims",
    about: "The claims of an access token.",
    replaces: ["beforeTokenSigning"],
  },
  id_token: {
    seam: "claims",
    about: "The claims of an ID token.",
    replaces: ["beforeTokenSigning"],
  },
  userinfo: {
    seam: "claims",
    about: "The claims in the response of userinfo.",
    replaces: ["beforeUserinfo"],
  },
  introspection: {
    seam: "claims",
    about: "The introspection response about an active token.",
    replaces: ["beforeIntrospect"],
  },
  logout_token: {
    seam: "claims",
    about: "The claims of a logout token.",
  },
  id_jag: {
    seam: "claims",
    about: "The claims of an ID-JAG, which a client gets by token exchange.",
  },
  jwt: {
    seam: "jwt",
    about:
      "The header and the claims of each JWT before the server signs it. Runs after the hook for its claims.",
    shape: {
      type: "object",
      additionalProperties: false,
      required: ["header", "claims"],
      properties: { token: {}, header: { type: "object" }, claims: { type: "object" } },
    },
    manyEndpoints: true,
  },
  signed: {
    seam: "signed",
    about: "The text of each signed JWT.",
    shape: {
      type: "object",
      additionalProperties: false,
      required: ["text"],
      properties: { token: {}, text: { type: "string" } },
    },
    manyEndpoints: true,
    patch: {
      schema: {
        description:
          "Either text, which replaces the token, or parts of the token, which change without a new signature.",
        type: "object",
        additionalProperties: false,
        properties: {
          text: { type: "string" },
          header: { type: "object" },
          claims: { type: "object" },
          signature: { type: "string" },
        },
      },
      apply: (value: JsonObject, patch: JsonObject): JsonObject => patchToken(value, patch),
    },
  },
  response: {
    seam: "response",
    about: "Every response. Runs after all other hooks.",
    replaces: ["beforeUserinfo", "beforeRevoke", "beforeIntrospect", "beforePostLogoutRedirect"],
    shape: {
      type: "object",
      additionalProperties: false,
      required: ["status", "headers", "body"],
      properties: {
        status: { type: "integer", minimum: 200, maximum: 599 },
        headers: {
          type: "object",
          additionalProperties: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
        },
        // The body can be text, bytes or a stream, which no schema can say.
        body: {},
      },
    },
    manyEndpoints: true,
    otherNames: { status: ["statusCode"] },
    patch: {
      schema: {
        type: "object",
        additionalProperties: false,
        properties: {
          status: { type: "integer", minimum: 200, maximum: 599 },
          headers: {
            type: "object",
            additionalProperties: {
              anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }, { type: "null" }],
            },
          },
          body: { type: "string" },
        },
      },
    },
  },
} as const;

/** The names of the hooks. */
export type HookName = keyof typeof hookTable;

/** The names of hooks that cannot be for one client or person, because no request for their value names any. */
export type AnonymousHookName = {
  [N in HookName]: (typeof hookTable)[N] extends { readonly anonymous: true } ? N : never;
}[HookName];

/** The names of hooks that can be for one endpoint, because requests to several endpoints lead to their value. */
export type EndpointHookName = {
  [N in HookName]: (typeof hookTable)[N] extends { readonly manyEndpoints: true } ? N : never;
}[HookName];

/**
 * The value that each hook gets and returns. It is the value at the seam of the hook, but hooks at the seam `claims` get
 * the claims only, and the hook `signed` gets the signer in its second argument.
 */
export type HookValues = {
  readonly [N in HookName]: (typeof hookTable)[N]["seam"] extends "claims" ? Claims
    : N extends "signed" ? Omit<SeamValues["signed"], "signer">
    : SeamValues[(typeof hookTable)[N]["seam"]];
};

export const hookRows: Readonly<Record<HookName, HookRow>> = hookTable;
export const hookNames: readonly HookName[] = Object.keys(hookTable) as HookName[];

const anyObject: Schema = { type: "object" };

/** Errors about an unknown member suggest the right one. */
export function shapeOf(name: HookName): Schema {
  const { shape = anyObject, otherNames: others = {} } = hookRows[name];
  const members = Object.entries(shape.properties ?? {}).map(([member, schema]) =>
    [member, { ...schema, [otherNames]: others[member] }] as const
  );
  return members.length === 0 ? shape : { ...shape, properties: Object.fromEntries(members) };
}

export function patchSchemaOf(name: HookName): Schema {
  const { about, shape = anyObject, patch } = hookRows[name];
  const schema = patch?.schema ?? toPatchSchema(shape);
  return { ...schema, description: [about, schema.description].filter(Boolean).join(" ") };
}

function toPatchSchema({ required, properties, ...shape }: Schema): Schema {
  if (required === undefined) return shape;
  const members = required.map((name) => [name, properties?.[name] ?? {}]);
  return { ...shape, additionalProperties: false, properties: Object.fromEntries(members) };
}

/** The caller has checked the patch against its schema. */
export function applyPatch(name: HookName, value: JsonObject, patch: JsonObject): unknown {
  return (hookRows[name].patch?.apply ?? mergePatch)(value, patch);
}

/** The patch is `{ text }` or any of `{ header, claims, signature }`. `null` removes a member. Nothing is signed again. */
function patchToken(value: JsonObject, { text, ...parts }: JsonObject): JsonObject {
  if (text !== undefined) return { ...value, text };
  const before = `${value["text"]}`;
  if (before.split(".").length !== 3) {
    throw new TypeError("the token has no parts to change, because a hook before this one replaced its text");
  }
  return { ...value, text: joinJwt(mergePatch(splitJwt(before), parts) as JwtParts) };
}

/** A JSON merge patch (RFC 7396): `null` removes a member, and an array replaces the whole array. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), change));
  }
  return Object.fromEntries(merged);
}
