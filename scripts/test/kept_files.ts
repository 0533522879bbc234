/** Lists the files of the checkout that stay when the buildings above one are deleted. */
import { listFiles } from "./changed.ts";
import { type Building, testedBuilding } from "./suites.ts";

/** The buildings that work without the ones above them. */
export const above: Readonly<Record<"kit" | "server", readonly Building[]>> = {
  kit: ["tools"],
  server: ["kit", "tools"],
};

export type Lower = keyof typeof above;

/** Returns the sources, and what they need besides. */
export function listSources(building: Lower): readonly string[] {
  return listKept(building).filter((file) => /^(?:src|static)\/|^deno\.(?:json|lock)$/.test(file));
}

/** Returns the files that stay when the tests of the other buildings are deleted, too, and those that cross them. */
export function listTested(building: Lower): readonly string[] {
  return listKept(building)
    .filter((file) => !/_test\.tsx?$/.test(file) || testedBuilding(file) === building);
}

/** Returns the files that git does not ignore, without those of the buildings above. */
function listKept(building: Lower): readonly string[] {
  const isAbove = (file: string) =>
    above[building].some((each) => file.startsWith(`src/${each}/`) || testedBuilding(file) === each);
  return listFiles().filter((file) => !isAbove(file));
}
