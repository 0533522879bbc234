/**
 * Makes the README and the files for agents of the npm package. Their links lead to the repository, because the package
 * has no other documents.
 */
import { writeLlms } from "../llms.ts";
import { writeAsPublished, writeAsShown } from "../published.ts";
import { repository } from "./description.ts";

export function describeReadme(readme: string): string {
  return writeAsPublished(readme).replace(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g,
    (_, mark: string, text: string, path: string) =>
      `${mark}[${text}](${repository}/${mark === "!" ? "raw" : "blob"}/main/${path})`,
  );
}

/** Takes a function that returns the text of a page. */
export function describeLlms(read: (path: string) => string): ReadonlyMap<string, string> {
  return writeLlms(
    (path) => writeAsShown(writeAsPublished(read(path))),
    (path) => `${repository}/blob/main/${path}`,
  );
}
