/** The part of the configuration's JSON schema for the option `metadata`. */

import type { MetadataAddresses } from "../oauth/metadata_addresses.ts";
import type { Schema } from "../schema/schema.ts";

function describeForm(path: string, usual: string): Schema {
  return {
    anyOf: [{ type: "boolean", const: false }, { type: "string", enum: ["both", "inserted", "appended"] }],
    description:
      `Where ${path} is, if the issuer has a path: before that path (inserted), after it (appended), or both. ` +
      `false: nowhere. Default: ${usual}.`,
    examples: [false, "appended"],
  };
}

const properties: Readonly<Record<keyof MetadataAddresses, Schema>> = {
  oauthAuthorizationServer: describeForm(
    "/.well-known/oauth-authorization-server",
    "inserted, or both with the paths navikt",
  ),
  openidConfiguration: describeForm("/.well-known/openid-configuration", "both"),
};

export const metadataSchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties,
  description:
    "The addresses of the server's metadata, for tests of clients that look for it in several places.",
  examples: [{ oauthAuthorizationServer: false }],
};
