/** The notes of a release: the section of its version in CHANGELOG.md. */
import { repository } from "../package/description.ts";

/** Throws unless the changelog has the version, with a date or, in a rehearsal, as not published yet. */
export function readNotes(
  changelog: string,
  { version, isRehearsal }: { readonly version: string; readonly isRehearsal: boolean },
): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith(`## [${version}] - `));
  if (section === undefined) throw new Error(`CHANGELOG.md needs a section "## [${version}] - YYYY-MM-DD"`);
  const [heading = "", ...lines] = section.split("\n");
  const isDated = /- \d{4}-\d{2}-\d{2}$/.test(heading);
  if (!isDated && !(isRehearsal && heading.endsWith("- not published yet"))) {
    throw new Error(`CHANGELOG.md needs a date, "## [${version}] - YYYY-MM-DD", and has "${heading}"`);
  }
  return `${absolute(joinLines(lines.join("\n")), version).trim()}\n`;
}

/** GitHub shows each line break of the notes. */
function joinLines(text: string): string {
  return text.replace(/(?<=\S)\n +(?=\S)|(?<=^[^#\n].*)\n(?=[^\s#-])/gm, " ");
}

/** The notes have no folder, so their links lead to the files of the tag. */
function absolute(text: string, version: string): string {
  return text.replace(/\]\((?!https?:)([^)]+)\)/g, (_, path) => `](${repository}/blob/v${version}/${path})`);
}
