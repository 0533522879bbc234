/**
 * Makes the README of the npm package, which its readers have from npm. Its links lead to the repository, because the
 * package has no other documents.
 */
import { writeAsPublished } from "../published.ts";
import { repository } from "./description.ts";

export function describeReadme(readme: string): string {
  return writeAsPublished(readme).replace(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g,
    (_, mark: string, text: string, path: string) =>
      `${mark}[${text}](${repository}/${mark === "!" ? "raw" : "blob"}/main/${path})`,
  );
}
