/** docs/real_flaws.md: published flaws, and the rows that catch them. Also the index of advisories in the reference. */
import { describeMisbehaviour } from "../../src/kit/faults/choose.ts";
import { areaOf, type MisbehaviourName, misbehaviourNames } from "../../src/kit/faults/names.ts";
import { type Flaw, flaws, type Tried } from "./flaws.ts";
import { code, listed, table } from "./markdown.ts";

/** The rows by the names of the bugs that they show. */
export const rowsByBug: ReadonlyMap<string, readonly MisbehaviourName[]> = groupRows();

function groupRows(): Map<string, readonly MisbehaviourName[]> {
  const rows = new Map<string, readonly MisbehaviourName[]>();
  for (const name of misbehaviourNames) {
    for (const bug of describeMisbehaviour(name).bugs ?? []) rows.set(bug, [...rows.get(bug) ?? [], name]);
  }
  return rows;
}

export const isAdvisory = (bug: string): boolean => /^(CVE|GHSA)-/.test(bug);

export function findRows({ ids }: Flaw): readonly MisbehaviourName[] {
  return misbehaviourNames.filter((name) => ids.some((id) => rowsByBug.get(id)?.includes(name)));
}

function addressOf(id: string): string {
  return id.startsWith("CVE-")
    ? `https://www.cve.org/CVERecord?id=${id}`
    : `https://github.com/advisories/${id}`;
}

/** The table for docs/reference/misbehaviours.md. */
export function writeAdvisories(): string {
  const advisories = [...rowsByBug].filter(([bug]) => isAdvisory(bug)).toSorted(([a], [b]) => a < b ? -1 : 1);
  return table(
    ["advisory", "rows"],
    advisories.map(([bug, rows]) => [`[${bug}](${addressOf(bug)})`, listed(rows.map(code))]),
  );
}

export function writeRealFlaws(): string {
  const caught = flaws.filter(({ lacks }) => lacks === undefined);
  const other = (kind: "ours" | "beyond") => flaws.filter(({ lacks }) => lacks?.kind === kind);
  const [open, beyond] = [other("ours"), other("beyond")];
  const tried = caught.filter(({ tried }) => tried !== undefined);
  const compared = tried.filter(({ tried }) => tried?.npm !== undefined);
  return `${
    [
      "# Flaws of real libraries",
      `This page lists ${flaws.length} published flaws of libraries and applications for OAuth 2.0, OpenID Connect and JWT, ` +
      `and the [misbehaviours](reference/misbehaviours.md) that catch them: ${caught.length} are caught, ${open.length} are ` +
      `not caught yet, and ${beyond.length} are beyond what a wrong server shows. A flaw that is mended is no statement about ` +
      "the library of today: [examined clients](examined_clients.md) and [examined APIs](examined_apis.md) are.",
      `Of ${tried.length} of them, a version with the flaw and one without it were examined: the rows caught the first, and ` +
      `the second passed them. A test does this for ${compared.length} packages of npm, and the others were examined by hand. ` +
      "Where no version was examined, the advisory or the source says what the library does.",
      "## Caught",
      table(
        ["flaw", "library", "versions", "what it does", "rows", "examined"],
        caught.map((flaw) => [...describe(flaw), listed(findRows(flaw).map(link)), showTried(flaw.tried)]),
      ),
      ...listLacking("Ours to add", "No row catches these flaws yet.", "what the rows lack", open),
      ...listLacking("Out of reach", "No row can catch these flaws.", "why", beyond),
      "_`deno task docs` makes this page from `scripts/reference/flaws.ts` and from the `bugs` of the misbehaviours. To add a " +
      "flaw, name it in `bugs` of the rows that catch it, and describe it there._",
    ].join("\n\n")
  }\n`;
}

function listLacking(
  heading: string,
  summary: string,
  column: string,
  found: readonly Flaw[],
): readonly string[] {
  if (found.length === 0) return [];
  const rows = found.map((flaw) => [...describe(flaw), flaw.lacks!.because]);
  return [`## ${heading}`, summary, table(["flaw", "library", "versions", "what it does", column], rows)];
}

function describe({ ids, address, library, versions, flaw }: Flaw): readonly string[] {
  const links = ids.map((id) => `[${id}](${address ?? addressOf(id)})`);
  return [links.join(", "), library, versions, flaw];
}

function link(name: MisbehaviourName): string {
  return `[${code(name)}](reference/misbehaviours.md#${areaOf(name)})`;
}

function showTried(tried: Tried | undefined): string {
  if (tried === undefined) return "–";
  const [flawed, mended] = tried.versions;
  return `${flawed} and ${mended}, ${tried.npm === undefined ? "by hand" : "by a test"}`;
}
