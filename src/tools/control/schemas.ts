/** Schemas that several routes use. */

import type { DpopTerm } from "../../kit/mock/client/dpop_client.ts";
import type { LoginTerms } from "../../kit/mock/client/login.ts";
import { type EndpointName, listEndpointNames } from "../../kit/mock/endpoints.ts";
import type { Duration } from "../../ground/schema/duration.ts";
import * as schema from "./schema_of.ts";
import type { SchemaOf, SchemasOf } from "./schema_of.ts";

export const answerStatus: SchemaOf<number> = {
  ...schema.integer(),
  minimum: 200,
  maximum: 599,
  description: "The status. Default: 200.",
};

/** Has no pattern, because the test kit parses durations itself and its errors say more than a pattern. */
export const duration: SchemaOf<Duration> = schema.either(
  'Seconds as a number, or text with the units d, h, m, s and ms: "90s", "1d 3h".',
  schema.number(),
  schema.text(),
);

export const scope: SchemaOf<string | readonly string[]> = schema.oneOrMore(
  "Scope names separated by single spaces, or a list of names.",
);

export const resource: SchemaOf<string | readonly string[]> = schema.oneOrMore(
  "The resource (API) that the token is for, or a list of resources.",
);

export const authorizationDetails: SchemasOf<LoginTerms>["authorizationDetails"] = {
  type: "array",
  items: { type: "object" },
  description: "What the client wants to do in detail (RFC 9396): objects of the configured types.",
};

export const username: SchemaOf<string> = schema.text("The username of the person.");

/** For calls that choose a person if the caller names no person. */
export const usernameOrDefault: SchemaOf<string> = schema.text(
  "Default: the person of automatic sign-in, or the first person.",
);

export const clientOrFirst: SchemaOf<string> = schema.text(
  "The client id. Default: the first client that may use authorization_code, such as demo.",
);

export const clientKey: SchemasOf<LoginTerms>["clientKey"] = {
  ...schema.object(),
  description: "The private JWK of a client with private_key_jwt, or with signed requests.",
};

/** The description says which key `true` stands for. */
export function dpopKey(description: string): SchemaOf<DpopTerm> {
  return { type: ["boolean", "object"], description };
}

export const newDpopKey: SchemaOf<DpopTerm> = dpopKey(
  "true: the tokens are bound to a new key by DPoP, which this server keeps for refresh and dpop_headers. " +
    "A private JWK is the key. Default: true for a client with dpop_bound_access_tokens, and otherwise bearer tokens.",
);

export const nonce: SchemaOf<string> = schema.text("The value of the claim nonce in the ID token.");

export const personAliases: Readonly<Record<string, string>> = { person: "username", as: "username" };

export const clientAliases: Readonly<Record<string, string>> = { client_id: "client" };

export const endpointName: SchemaOf<EndpointName> = {
  type: "string",
  description:
    "The endpoint. page: the pages, their files, preflights, and paths that the server does not know.",
  get enum() {
    return listEndpointNames();
  },
};

export const raw: SchemaOf<boolean> = schema.flag("true: includes the secrets.");

/** Limited to 30 seconds, because proxies and clients give up soon after. */
export const wait: SchemaOf<number> = {
  type: "integer",
  minimum: 0,
  maximum: 30,
  description: "How many seconds of real time the call waits at most. Default: 0.",
};
