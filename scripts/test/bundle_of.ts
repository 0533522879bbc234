/** Returns the path of a bundled test below the folder of the bundles. */
export function bundleOf(file: string): string {
  return file.replace(/^tests\//, "").replace(/\.tsx?$/, ".js");
}
