/** Replaces the marked parts of a page. A part stands between `<!-- NAME: made by deno task TASK -->` and `<!-- end -->`. */

/** Replaces the parts in the file, and formats it. */
export async function rewritePage(
  file: string,
  task: string,
  parts: ReadonlyMap<string, string>,
): Promise<void> {
  await Deno.writeTextFile(file, replaceParts(await Deno.readTextFile(file), task, parts));
  const { success } = await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", file] }).output();
  if (!success) throw new Error("deno fmt does not accept the page");
}

export function replaceParts(page: string, task: string, parts: ReadonlyMap<string, string>): string {
  const missing = new Set(parts.keys());
  const replaced = page.replace(
    new RegExp(`(<!-- (\\w+): made by deno task ${task} -->\n)[^]*?(<!-- end -->)`, "g"),
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
