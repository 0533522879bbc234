/** Parts of the reference pages in Markdown. `deno fmt` aligns the tables and wraps the lines. */

/** A page of docs/reference. */
export interface Page {
  readonly title: string;
  /** Says what the reader finds on the page. */
  readonly summary: string;
  /** Paragraphs, tables and sections. */
  readonly parts: readonly string[];
}

export function writePage({ title, summary, parts }: Page): string {
  return [`# ${title}`, summary, ...parts, notice].join("\n\n") + "\n";
}

const notice = "_This page is made from the code: change the code, then run `deno task docs`._";

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("\n", "<br>").replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Joins items as in a sentence: "a, b and c". */
export function listed(items: readonly string[], conjunction = "and"): string {
  const [last = "", ...others] = items.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} ${conjunction} ${last}`;
}

/**
 * Sets names of the protocol, flags, URLs and paths in code font, in a text that is also shown as plain text. `names`
 * are other names, such as the values of the described member.
 */
export function markNames(text: string, names: readonly string[] = []): string {
  const known = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // these values may be ordinary words elsewhere in a sentence
  const values = known.length === 0 ? "" : `(?<=^|\\n|[.:] |Default: )(?:${known.join("|")})(?![\\w-])|`;
  const name = new RegExp(
    `\`[^\`]*\`|${values}"[^"]*"|https?://[^\\s),]*[^\\s),.:;]|\\b[a-z]+(?:\\.[a-z]+)+:/\\w*|--[a-z][a-z-]+(?: [A-Z]{2,}\\b)?|` +
      "(?<![\\w/])/[a-z_.][\\w/.{}-]*[\\w}]|(?:\\$|\\b)[a-z]+(?:_[a-z]+)+\\b|\\b[a-z]+[A-Z]\\w+(?:\\(\\))?|\\b[A-Z]+(?:_[A-Z]+)+\\b|" +
      "\\b(?:RS|PS|ES)256\\b|\\bEdDSA\\b",
    "g",
  );
  return text.replace(name, (found) => found.startsWith("`") || found.startsWith('"') ? found : code(found))
    // what a renderer would take for a tag
    .replace(/(`[^`]*`)|<(?=[a-z])/gi, (_all, kept?: string) => kept ?? "&lt;");
}
