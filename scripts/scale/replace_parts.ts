/** Replaces the marked parts of a page. A part stands between `<!-- NAME: made by deno task scale -->` and `<!-- end -->`. */

export function replaceParts(page: string, parts: ReadonlyMap<string, string>): string {
  const missing = new Set(parts.keys());
  const replaced = page.replace(
    /(<!-- (\w+): made by deno task scale -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const part = parts.get(name);
      if (part === undefined) throw new Error(`Nothing makes the part "${name}" of the page`);
      missing.delete(name);
      return `${start}\n${part}\n\n${end}`;
    },
  );
  if (missing.size > 0) throw new Error(`The page has no mark for ${[...missing].join(", ")}`);
  return replaced;
}
