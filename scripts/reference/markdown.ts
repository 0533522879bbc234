/** Parts of the reference pages in Markdown. `deno fmt` aligns the tables and wraps the lines. */

/** A page of docs/reference. */
export interface Page {
  readonly title: string;
  /** Says what the reader finds on the page. */
  readonly summary: string;
  /** Paragraphs, tables and sections. */
  readonly parts: readonly string[];
  /** A large page begins with its contents and an index. Returns what the index writes for a name of a section. */
  readonly index?: (name: string, section: string) => string;
}

export function writePage({ title, summary, parts, index }: Page): string {
  const beginning = index === undefined ? [] : describeContents(title, parts, index);
  return [`# ${title}`, summary, ...beginning, ...parts, notice].join("\n\n") + "\n";
}

/** Returns links to the sections, and to each name: a heading inside of a section, or a first cell of its table. */
function describeContents(
  title: string,
  parts: readonly string[],
  label: NonNullable<Page["index"]>,
): readonly string[] {
  const anchorOf = createAnchors();
  const sections: string[] = [];
  const names = new Map<string, { readonly section: string; readonly place: string }[]>();
  let section = title, place = anchorOf(title);
  for (const part of parts) {
    const [, level = "", heading = ""] = /^(###?) (.+)$/.exec(part) ?? [];
    if (heading !== "") place = anchorOf(heading);
    if (level === "##") {
      section = heading;
      sections.push(`[${heading}](${place})`);
    }
    const cells = /^\| (?:reason|name|key) \|/.test(part) ? [...part.matchAll(/^\| `([^`]+)`/gm)] : [];
    for (const name of level === "###" ? [heading] : cells.map(([, name = ""]) => name)) {
      const known = names.get(label(name, section)) ?? [];
      names.set(label(name, section), [...known, { section, place }]);
    }
  }
  const plain = (name: string) => name.replaceAll("`", "").toLowerCase();
  const sorted = [...names].toSorted(([a], [b]) => plain(a) < plain(b) ? -1 : 1);
  const groups = Map.groupBy(sorted, ([name]) => plain(name)[0]!.toUpperCase());
  const lines = [...groups].map(([letter, own]) => {
    // A name that several sections have leads to each of them.
    const links = own.flatMap(([name, places]) =>
      places.map(({ section, place }, index) =>
        index === 0 ? `[${name}](${place})` : `${name} of [${section}](${place})`
      )
    );
    return `**${letter}**: ${links.join(", ")}`;
  });
  const summary = `<summary>Index of ${names.size} names</summary>`;
  return [`**Contents:** ${sections.join(" · ")}`, `<details>\n${summary}`, ...lines, "</details>"];
}

/** Forms the anchors of headings in their order, as GitHub does. */
export function createAnchors(): (heading: string) => string {
  const times = new Map<string, number>();
  return (heading) => {
    const slug = heading.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    return `#${slug}${before === 0 ? "" : `-${before}`}`;
  };
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
      "(?<![\\w/])/[a-z_.][\\w/.{}-]*[\\w}]|(?:\\$|\\b|(?<!\\w)\\.)[a-z]+(?:_[a-z]+)+(?:\\.json)?\\b|\\b[a-z]+[A-Z]\\w+(?:\\(\\))?|\\b[A-Z]+(?:_[A-Z]+)+\\b|" +
      "\\b(?:RS|PS|ES)256\\b|\\bEdDSA\\b",
    "g",
  );
  return text.replace(name, (found) => found.startsWith("`") || found.startsWith('"') ? found : code(found))
    // what a renderer would take for a tag
    .replace(/(`[^`]*`)|<(?=[a-z])/gi, (_all, kept?: string) => kept ?? "&lt;");
}
