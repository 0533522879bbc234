/** The schemas of APIs: their terms, and their form in answers. */

import type { Schema } from "../../ground/schema/schema.ts";
import type { ResourceTerms } from "../../kit/mock/resources/resource_terms.ts";
import type { JsonAnswer } from "./caller_answer.ts";
import type { ResourceTermsBody } from "./controlled_tenants.ts";
import { membersOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemaOf, SchemasOf } from "../../ground/schema/schema_of.ts";
import { answerStatus } from "./schemas.ts";

const ofKit = membersOf<ResourceTerms>("ResourceTerms");

// These have a name in the OpenAPI document.
export const resourceRule: Schema = ofKit.rules.items!;
export const resourceDpop: Schema = ofKit.dpop;
export const resourceChallenge: Schema = ofKit.challenge.anyOf!.find((each) =>
  each.properties !== undefined
)!;

const anArray: SchemaOf<readonly unknown[]> = { type: "array" };

/** `usual` says what the body is if the caller gives none. */
export function answerWith(usual: string): SchemasOf<JsonAnswer> {
  return {
    status: answerStatus,
    headers: schema.textMembers("The headers. Default of content-type: application/json."),
    body: schema.either(
      `Text, or an object or a list, which is sent as JSON. Default: ${usual}.`,
      schema.anyText(),
      schema.object(),
      anArray,
    ),
  };
}

export const resourceAnswer: SchemaOf<JsonAnswer> = schema.closedObject(
  answerWith("the claims of the token"),
  {
    description: "The answer to a request that the API accepts. Default: the claims of the token, as JSON.",
  },
);

export const resourceOptions: SchemasOf<ResourceTermsBody> = {
  ...ofKit,
  metadata: schema.either(
    "Where the metadata (RFC 9728) is. path: at the well-known path, followed by the path of the API. root: at the " +
      "well-known path alone. Text that is a URL or a path: there, at the origin of the API. false: nowhere. Default: path.",
    schema.text(),
    schema.constant(false),
  ),
  document: schema.object(
    "Members that the metadata has in addition, or with another value. A member with the value null is left out.",
  ),
  authorizationServers: schema.list(schema.text(), ofKit.authorizationServers.description),
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
