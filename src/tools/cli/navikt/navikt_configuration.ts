/** The configuration of mock-oauth2-server (navikt), and the schemas of its keys. */

import { isJsonObject, type JsonObject } from "../../../server/schema/json_object.ts";
import type { Schema } from "../../../server/schema/schema.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";

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

const string: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };

function closed(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: "object", additionalProperties: false, properties, required };
}

const tokenCallback = closed({
  issuerId: { ...string, minLength: 1 },
  tokenExpiry: { type: "integer", minimum: 1 },
  requestMappings: {
    type: "array",
    items: closed({ requestParam: string, match: string, claims: { type: "object" }, typeHeader: string }, [
      "requestParam",
      "match",
    ]),
  },
}, ["issuerId", "requestMappings"]);

export const naviktKeys: Readonly<Record<keyof NaviktConfiguration, Schema>> = {
  interactiveLogin: flag,
  loginPagePath: string,
  staticAssetsPath: string,
  rotateRefreshToken: flag,
  httpServer: { anyOf: [string, closed({ type: string, ssl: { type: "object" } })] },
  tokenProvider: closed({
    keyProvider: closed({ initialKeys: string, algorithm: string }),
    systemTime: string,
  }),
  tokenCallbacks: { type: "array", items: tokenCallback },
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
