/** The option `paths`: its part of the configuration's JSON schema, and its profile. */

import {
  assetsPath,
  findProfile,
  type PathProfile,
  pathProfiles,
  paths,
  type PathsOption,
  usualPaths,
} from "../oauth/contracts/paths.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { refuseOption } from "../oauth/options/set_up_mistake.ts";
import { closedObject } from "../../ground/schema/schema_of.ts";

// URL parsers remove the segments "." and "..", so no request could reach such a path.
const pattern = "^(/(?!\\.{1,2}(/|$))[\\w.~-]+)+$";

const movablePaths = Object.fromEntries(
  Object.entries(usualPaths).map(([name, path]): [string, Schema] => [
    name,
    { type: "string", pattern, examples: [path], description: `Default: ${path}.` },
  ]),
);

export const pathsSchema: Schema = {
  anyOf: [
    { type: "string", enum: Object.keys(pathProfiles) },
    closedObject(movablePaths),
  ],
  examples: ["axa", { token: "/oauth/token" }],
};

/** Returns the profile. The schema has checked the option. */
export function readPathProfile(option: PathsOption | undefined): PathProfile {
  if (typeof option !== "object") return findProfile(option);
  const given = Object.entries(option).filter(([, path]) => path !== undefined);
  const chosen = { ...usualPaths, ...Object.fromEntries(given) };
  for (const [name, path] of given) {
    const others = Object.entries({ ...paths, ...chosen }).filter(([other]) => other !== name);
    const taken = others.find(([, each]) => each === path);
    if (taken !== undefined) refuseOption(`paths.${name}`, `must differ from the path of ${taken[0]}`);
  }
  return { paths: chosen };
}

/** Returns the server's own paths at its origin, without the front page. `basePath` is that of the issuer. */
export function listPaths({ paths: moved, healthPath }: PathProfile, basePath: string): readonly string[] {
  const { home: _, ...pages } = paths;
  const below = [...Object.values(pages), ...Object.values(moved), assetsPath.slice(0, -1)];
  return [...below.map((path) => basePath + path), ...(healthPath === undefined ? [] : [healthPath])];
}
