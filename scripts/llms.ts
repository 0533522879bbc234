/** llms.txt and llms-full.txt, for coding agents: the index of the documentation, and the pages about tests as one text. */
import { posix } from "node:path";
import section from "../static/agents.md" with { type: "text" };
import { writeForm } from "../src/tools/cli/forms/write_form.ts";
import { summarise, withoutLinks } from "./reference/index_pages.ts";

/** More would fill the memory of an agent. */
const mostWords = 40_000;

/** Pages about tests that few agents need, that are data or about a page of the dashboard. */
const leftOut: readonly string[] = [
  "docs/examined_clients.md",
  "docs/examined_apis.md",
  "docs/real_flaws.md",
  "docs/spring_boot.md",
  "docs/python.md",
  "docs/go.md",
  "docs/java.md",
  "docs/write_a_driver.md",
  "docs/learn_a_provider.md",
  "docs/test_refresh_races.md",
  "docs/signed_responses.md",
  "docs/workload_identities.md",
  "docs/exchange_tokens.md",
  "docs/agent_with_id_jag.md",
  "docs/silent_renew.md",
  "docs/inspector.md",
  "docs/playground.md",
  "docs/vitest_browser.md",
  "docs/storybook.md",
  "docs/playwright_components.md",
];

/** Pages that each test needs. */
const added: readonly string[] = ["docs/configuration.md"];

/** `readPage` returns a page as its readers see it, and `link` the address of a page for the readers of these files. */
export function writeLlms(
  readPage: (path: string) => string,
  link: (path: string) => string = (path) => path,
): ReadonlyMap<string, string> {
  const pages = listPages(readPage("docs/all_pages.md"));
  const [, summary = ""] = readPage("README.md").split("\n\n");
  const head = `# Postern\n\n> ${withoutLinks(summary).replaceAll("\n", " ")}`;
  const usage = writeForm(section, { PROGRAM: "npx postern", DOCS: "`llms.txt` of the package", mcp: true });
  const index = [...Map.groupBy(pages, ({ section }) => section)].map(([section, own]) => {
    const lines = own.map(({ path, title, about = summarise(readPage(path).replace(/^# .*$/m, "")) }) =>
      `- [${title}](${link(path)}): ${about}`
    );
    return `## ${section}\n\n${lines.join("\n")}`;
  });
  const tests = pages.filter(({ section }) => section === "Test").map(({ path }) => path);
  const whole = [...new Set(["README.md", ...tests, ...added])].filter((path) => !leftOut.includes(path));
  const full = whole.map((path) =>
    `<!-- ${path} -->\n\n${withNarrowTables(linkFrom(path, readPage(path), link))}`
  );
  const texts = {
    "llms.txt": `${[head, usage.slice(2).join("\n"), ...index].join("\n\n")}\n`,
    "llms-full.txt": full.map((text) => text.trim()).join("\n\n") + "\n",
  };
  const words = texts["llms-full.txt"].split(/\s+/).length;
  if (words > mostWords) {
    throw new Error(`llms-full.txt has ${words} words: leave a page out in scripts/llms.ts`);
  }
  return new Map(Object.entries(texts));
}

export interface IndexedPage {
  readonly section: string;
  readonly path: string;
  readonly title: string;
  /** Absent: the first sentence of the page says it. */
  readonly about?: string;
}

export function listPages(index: string): readonly IndexedPage[] {
  return index.split(/^## /m).slice(1).flatMap((text) => {
    const [section = ""] = text.split("\n");
    const rows = [...text.matchAll(/^(?:\| (.*?) +\| |- )\[(.*?)\]\(([^)#]+)\)/gm)];
    return rows.map(([, about, title = "", page]) => ({
      ...{ section, title, path: `docs/${page}` },
      ...(about === undefined ? {} : { about: section === "Move over" ? `you come from ${about}` : about }),
    }));
  });
}

/** Lets the links of a page lead to the same place from the root. A picture is its text. */
function linkFrom(path: string, text: string, link: (path: string) => string): string {
  return text.replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1").replace(
    /\]\((?![a-z]+:|#)([^)#]+)/g,
    (_, target: string) => `](${link(posix.join(posix.dirname(path), target))}`,
  );
}

function withNarrowTables(text: string): string {
  return text.replace(/^\|.*\|$/gm, (row) => row.replace(/ {2,}/g, " ").replace(/-{4,}/g, "---"));
}
