/** The schemas of APIs: their terms, and their form in answers. */

import { nonceModes } from "../../server/oauth/contracts/dpop_settings.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import type { ResourceChallenge } from "../../kit/mock/resources/resource_terms.ts";
import type { ResourceRule } from "../../kit/mock/resources/rules.ts";
import type { ProtectDpop } from "../../kit/mock/tokens/protect_dpop.ts";
import type { ResourceAnswerBody, ResourceTermsBody } from "./controlled_tenants.ts";
import * as schema from "./schema_of.ts";
import type { SchemaOf, SchemasOf } from "./schema_of.ts";
import { answerStatus, duration, scope } from "./schemas.ts";

const acr = schema.oneOrMore(
  "The value of the claim acr that the token must have, or a list of values, of which it must have one (RFC 9470).",
);

const onlyFalse: SchemaOf<false> = { type: "boolean", const: false };

const needed: SchemaOf<"needed" | "missing"> = { type: "string", enum: ["needed", "missing"] };

const maxAge = schema.described(
  `How long ago the person may have signed in (RFC 9470). ${duration.description}`,
  duration,
);

export const resourceRule: SchemaOf<ResourceRule> = schema.closedObject({
  path: {
    ...schema.anyText(),
    pattern: "^/",
    examples: ["/orders"],
    description: "For this path and all paths below.",
  },
  method: schema.text("For this method, for example POST."),
  rpc: schema.text("For this JSON-RPC method in the body, for example tools/call."),
  tool: schema.text("For calls of this tool by an MCP client."),
  scope: schema.prefixed("The scopes that the token must have.", scope),
  acr,
  maxAge,
  refuse: schema.flag("true: refuses every token with insufficient_scope."),
}, {
  description:
    "What certain requests to an API need, in addition to the other rules that match. A rule without path, method, " +
    "rpc and tool is for every request.",
});

export const resourceDpop: SchemaOf<ProtectDpop> = schema.closedObject({
  required: schema.flag("true: refuses bearer tokens. Default: false."),
  nonces: schema.oneOf(
    nonceModes,
    "The API's own nonces, which the authorization server does not accept. Default: off.",
  ),
}, {
  description: "How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces.",
});

export const resourceChallenge: SchemaOf<ResourceChallenge> = schema.closedObject({
  realm: schema.text("Default: the URL of the API."),
  scope: schema.either(
    "needed: the challenge names all scopes that the request needs. missing: only those that the token lacks. " +
      "false: none. Default: needed.",
    needed,
    onlyFalse,
  ),
  metadata: schema.flag(
    "Whether the challenge names the URL of the metadata (RFC 9728 §5.1). Default: true.",
  ),
}, { description: "The parameters of the header WWW-Authenticate." });

const anArray: SchemaOf<readonly unknown[]> = { type: "array" };

export const resourceAnswer: SchemaOf<ResourceAnswerBody> = schema.closedObject({
  status: answerStatus,
  headers: schema.textMembers("The headers. Default of content-type: application/json."),
  body: schema.either(
    "Text, or an object or a list, which is sent as JSON. Default: the claims of the token.",
    schema.anyText(),
    schema.object(),
    anArray,
  ),
}, {
  description: "The answer to a request that the API accepts. Default: the claims of the token, as JSON.",
});

export const resourceOptions: SchemasOf<ResourceTermsBody> = {
  scope: schema.prefixed("The scopes that every request needs.", scope),
  rules: schema.list(resourceRule, "What certain requests need in addition."),
  acr,
  maxAge,
  dpop: resourceDpop,
  scopes: schema.list(
    schema.text(),
    "The list scopes_supported in the metadata. Default: the metadata names no scopes.",
  ),
  metadata: schema.either(
    "Where the metadata (RFC 9728) is. path: at the well-known path, followed by the path of the API. root: at the " +
      "well-known path alone. Text that is a URL or a path: there, at the origin of the API. false: nowhere. Default: path.",
    schema.text(),
    onlyFalse,
  ),
  document: schema.object(
    "Members that the metadata has in addition, or with another value. A member with the value null is left out.",
  ),
  challenge: schema.either(
    "How refusals challenge the client. false: without the header WWW-Authenticate.",
    resourceChallenge,
    onlyFalse,
  ),
  authorizationServers: schema.list(
    schema.text(),
    "The issuers whose tokens the API accepts: this server, its tenants, or an issuer that only the metadata names. " +
      "Default: this server or tenant.",
  ),
  answer: resourceAnswer,
};

/** The same terms, for a change, in which null restores the default. */
export type ResourceChangesBody = {
  readonly [name in keyof ResourceTermsBody]: ResourceTermsBody[name] | null;
};

export const resourceChanges: SchemasOf<ResourceChangesBody> = Object.fromEntries(
  Object.entries(resourceOptions).map(([name, each]) => [
    name,
    schema.either(
      `${each.description ?? ""} null restores the default.`,
      ...(each.anyOf ?? [each]),
      { type: "null" },
    ),
  ]),
) as unknown as SchemasOf<ResourceChangesBody>;

export const resource: Schema = schema.openObject({
  id: schema.text("The name of the API in the paths of other calls, for example resource-1."),
  url: schema.text(
    "The URL that identifies the API: the resource of a login, and the aud of its tokens. At the origin of the " +
      "issuer, this server answers there.",
  ),
  metadataUrl: schema.text("The URL of the metadata (RFC 9728). Absent if there is none."),
  ...resourceOptions,
  requests: schema.integer("How many requests to the API are recorded."),
}, { required: ["id", "url", "requests"] });
