/** The site as files: its links, its weights, its policy, and what each page may load. */

import { assert, assertEquals } from "@std/assert";
import { posix } from "node:path";
import { makeSiteFiles } from "../made_site.ts";
import { test } from "../runner.ts";
import { findPages } from "./blocks.ts";

/** In bytes, with the sheets and scripts of the page. */
const heaviest = 60_000;

const files = new Map([...await makeSiteFiles()].map(([path, content]) => [path, decode(content)]));
const pages = [...files].filter(([path]) => path.endsWith(".html"));

function decode(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

function valuesOf(html: string, ...names: readonly string[]): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s(?:${names.join("|")})="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&")
  );
}

function isOutside(address: string): boolean {
  return /^[a-z][a-z+.-]*:/i.test(address);
}

test("site: every link leads to a file of the site and to a place in it", () => {
  const anchors = new Map(pages.map(([path, html]) => [path, new Set(valuesOf(html, "id"))]));
  const broken = pages.flatMap(([path, html]) =>
    valuesOf(html, "href", "src", "srcset").filter((address) => !isOutside(address)).filter((address) => {
      const [file = "", anchor] = address.split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      return !files.has(target) ||
        anchor !== undefined && !anchors.get(target)?.has(decodeURIComponent(anchor));
    }).map((address) => `${path}: ${address}`)
  );
  assertEquals(broken, []);
});

test("site: an address is relative, so the site works at any path", () => {
  const absolute = pages.flatMap(([path, html]) =>
    valuesOf(html, "href", "src").filter((address) => address.startsWith("/")).map((address) =>
      `${path}: ${address}`
    )
  );
  assertEquals(absolute, []);
});

test("site: a page with its sheets and scripts has at most 60,000 bytes", () => {
  const octets = (text: string) => new TextEncoder().encode(text).length;
  const heavy = pages.flatMap(([path, html]) => {
    const loaded = [
      ...html.matchAll(/<(?:link rel="stylesheet" href|script defer(?: blocking="render")? src)="([^"]*)"/g),
    ].map((
      [, address = ""],
    ) => files.get(posix.join(posix.dirname(path), address))!);
    assert(loaded.length >= 3, path);
    const weight = [html, ...loaded].reduce((sum, text) => sum + octets(text), 0);
    return weight > heaviest ? [`${path}: ${weight}`] : [];
  });
  assertEquals(heavy, []);
});

test("site: what is loaded at its first use is small, too", () => {
  const octets = (path: string) => files.get(path)!.length;
  assert(octets("assets/try_steps.js") < 80_000, `${octets("assets/try_steps.js")}`);
  assert(octets("assets/judge.js") < 140_000, `${octets("assets/judge.js")}`);
  assert(octets("assets/search_index.js") < 336_000, `${octets("assets/search_index.js")}`);
});

test("site: no page has inline scripts or styles, or loads a file of another origin", () => {
  for (const [path, html] of pages) {
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    assert(policy.startsWith("default-src &#39;none&#39;") || policy.startsWith("default-src 'none'"), path);
    assert(!/unsafe|\*|https?:/.test(policy), policy);
    assertEquals(
      [...html.matchAll(
        /<script(?! defer(?: blocking="render")? src="[^":]*"><\/script>)|<style|\sstyle="|\son[a-z]+="/g,
      )],
      [],
      path,
    );
    assertEquals(valuesOf(html, "src").filter(isOutside), [], path);
  }
});

test("site: an id occurs once in a page, and a page has one main heading", () => {
  for (const [path, html] of pages) {
    const ids = valuesOf(html, "id");
    assertEquals(ids.filter((id, at) => ids.indexOf(id) !== at), [], path);
    assertEquals(html.match(/<h1[ >]/g)?.length, 1, path);
  }
});

test("site: each page of docs/ is a page, and each in the navigation can be reached from the one before", () => {
  const missing = findPages().map((page) =>
    page === "README.md"
      ? "start.html"
      : page === "docs/README.md"
      ? "documentation.html"
      : page.replace(/^docs\//, "").replace(/\.md$/, ".html")
  ).filter((page) => !files.has(page));
  assertEquals(missing, []);
  const visited: string[] = [];
  for (let at: string | undefined = "start.html"; at !== undefined;) {
    visited.push(at);
    const next: string | undefined = /<a rel="next" href="([^"]*)"/.exec(files.get(at)!)?.[1];
    at = next === undefined ? undefined : posix.join(posix.dirname(at), next);
  }
  const navigation = valuesOf(
    /<nav [^>]*class="pages"[^]*?<\/nav>/.exec(files.get("start.html")!)![0],
    "href",
  );
  assertEquals(navigation.filter((page) => !visited.includes(page)), []);
  assert(navigation.length > 60 && visited.length > navigation.length);
});

test("site: the evidence of an examined client stands at the place that its mark leads to", () => {
  const matrix = files.get("examined_clients.html")!;
  const link = /href="(cards\/[^"#]+\.html)#([^"]+)"/.exec(matrix)!;
  assert(files.get(link[1]!)!.includes(`id="${link[2]}"`));
});

test("site: a part of a card is named after the areas and rows that it holds", () => {
  const parts = pages.filter(([path]) => /^(api_)?cards\/\w+\//.test(path));
  assert(parts.length > 50, `${parts.length}`);
  for (const [path, html] of parts) {
    const name = /<b aria-current="page">(.*?)<\/b>/.exec(html)![1]!;
    const ids = valuesOf(html, "id").filter((id) => /^[a-z_]+\.\w+$/.test(id));
    const areas = [...new Set(ids.map((id) => id.split(".")[0]!))];
    const named = name.split("; ").flatMap((each) => each.split(": ")[0]!.split(" to "));
    assertEquals([named[0], areas.length > 1], [areas[0], named.length > 1], path);
    if (named.length === areas.length) assertEquals(named, areas, path);
    else assertEquals([named.slice(0, 2), named.at(-1)], [areas.slice(0, 2), areas.at(-1)], path);
    for (const [, area, rows] of name.matchAll(/(\w+): (.*?)(?=;|$)/g)) {
      const shown = rows!.split(/, | to /).filter((row) => row !== "the rest");
      assertEquals(shown.filter((row) => !ids.includes(`${area}.${row}`)), [], path);
    }
  }
});
