/** The configuration of mock-oauth2-server (navikt), and the schemas of its keys. */

import { isJsonObject, type JsonObject } from "../../../../ground/schema/json_object.ts";
import type { Schema } from "../../../../ground/schema/schema.ts";
import * as schema from "../../../../ground/schema/schema_of.ts";
import type { Configuration } from "../../../../server/setup/configuration.ts";

/** A configuration of mock-oauth2-server 6. */
export interface NaviktConfiguration {
  readonly interactiveLogin?: boolean;
  readonly loginPagePath?: string;
  readonly staticAssetsPath?: string;
  readonly rotateRefreshToken?: boolean;
  readonly httpServer?: string | { readonly type?: string; readonly ssl?: JsonObject };
  readonly tokenProvider?: {
    readonly keyProvider?: { readonly initialKeys?: string; readonly algorithm?: string };
    readonly systemTime?: string;
  };
  readonly tokenCallbacks?: readonly TokenCallback[];
}

export interface TokenCallback {
  readonly issuerId: string;
  readonly tokenExpiry?: number;
  readonly requestMappings: readonly RequestMapping[];
}

export interface RequestMapping {
  readonly requestParam: string;
  readonly match: string;
  readonly claims?: JsonObject;
  readonly typeHeader?: string;
}

const tokenCallback = schema.closedObject({
  issuerId: schema.text(),
  tokenExpiry: { type: "integer", minimum: 1 },
  requestMappings: schema.list(schema.closedObject({
    requestParam: schema.anyText(),
    match: schema.anyText(),
    claims: schema.object(),
    typeHeader: schema.anyText(),
  }, { required: ["requestParam", "match"] })),
}, { required: ["issuerId", "requestMappings"] });

export const naviktKeys: Readonly<Record<keyof NaviktConfiguration, Schema>> = {
  interactiveLogin: schema.flag(),
  loginPagePath: schema.anyText(),
  staticAssetsPath: schema.anyText(),
  rotateRefreshToken: schema.flag(),
  httpServer: {
    anyOf: [schema.anyText(), schema.closedObject({ type: schema.anyText(), ssl: schema.object() })],
  },
  tokenProvider: schema.closedObject({
    keyProvider: schema.closedObject({ initialKeys: schema.anyText(), algorithm: schema.anyText() }),
    systemTime: schema.anyText(),
  }),
  tokenCallbacks: schema.list(tokenCallback),
};

/** Whether the value has a key that only mock-oauth2-server knows. */
export function isNaviktConfiguration(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.keys(naviktKeys).some((key) => Object.hasOwn(value, key));
}

/** A part of the configuration that has no equivalent. */
export interface NotCarriedOver {
  readonly place: string;
  /** A sentence that says what to use instead. */
  readonly instead: string;
}

/** Notes a part that does not carry over, unless the file has the key of Postern that takes its place. */
export type LeaveOut = (place: string, instead: string, key?: keyof Configuration) => void;
