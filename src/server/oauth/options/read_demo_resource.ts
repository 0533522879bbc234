/** The option `demoResource`: its part of the configuration's JSON schema, and its URL. */

import type { Schema } from "../../../ground/schema/schema.ts";
import { refuseOption } from "./set_up_mistake.ts";

const path = "(/(?!\\.{1,2}(/|$))[\\w.~-]+)+";

export const demoResourceSchema: Schema = {
  type: "string",
  pattern: `^(https?://[^/?#@]+)?${path}$`,
  examples: ["http://localhost:9000/resource", "/resource"],
};

export function readDemoResource(option: string | undefined, issuer: string): string | undefined {
  if (option === undefined) return undefined;
  const { origin } = new URL(issuer);
  const url = option.startsWith("/") ? origin + option : option;
  if (new URL(url).origin === origin && new URL(url).href === url) return url;
  return refuseOption("demoResource", `must be at the origin of the issuer, such as ${origin}/resource`);
}
