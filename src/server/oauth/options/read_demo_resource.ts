/** The option `demoResource`: its part of the configuration's JSON schema, and its URL. */

import type { Schema } from "../../../ground/schema/schema.ts";
import { refuseOption } from "./set_up_mistake.ts";

const path = "(/(?!\\.{1,2}(/|$))[\\w.~-]+)+";

export const demoResourceSchema: Schema = {
  type: "string",
  pattern: `^(https?://[^/?#@]+)?${path}$`,
  examples: ["http://localhost:9000/resource", "/resource"],
};

/** Returns the URL of the API. `taken`: the paths at the origin at and below which the server itself answers. */
export function readDemoResource(
  option: string | undefined,
  issuer: string,
  taken: readonly string[],
): string | undefined {
  if (option === undefined) return undefined;
  const { origin } = new URL(issuer);
  const url = option.startsWith("/") ? origin + option : option;
  if (new URL(url).origin !== origin || new URL(url).href !== url) {
    return refuseOption("demoResource", `must be at the origin of the issuer, such as ${origin}/resource`);
  }
  const { pathname } = new URL(url);
  const isTaken = [...taken, "/.well-known"].some((path) => `${pathname}/`.startsWith(`${path}/`));
  if (isTaken || pathname === new URL(issuer).pathname) {
    return refuseOption(
      "demoResource",
      `must be none of the server's own paths, such as ${origin}/resource, not ${pathname}`,
    );
  }
  return url;
}
