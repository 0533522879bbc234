/** Reads the text format 0.0.4 of Prometheus. A line that a foreign parser does not know is an error. */

import parseForeign from "parse-prometheus-text-format";

export interface Family {
  readonly help: string;
  readonly type: string;
  /** The values by the name and the labels, for example `x_bucket{le="1"}`. */
  readonly samples: Map<string, number>;
}

export function readExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const parsed: readonly { readonly name: string; readonly type: string }[] = parseForeign(text);
  const untyped = parsed.filter(({ type }) => type === "UNTYPED");
  if (untyped.length > 0) throw new Error(`No TYPE: ${untyped.map(({ name }) => name)}`);
  const families = new Map<string, Family>();
  // each family is its HELP, its TYPE and its samples
  for (const lines of text.slice(0, -1).split(/\n(?=# HELP )/)) {
    const [, help = "", name = "", type = "", samples = ""] =
      /^# HELP \S+ (.+)\n# TYPE (\S+) (counter|gauge|histogram)(?:\n([^]+))?$/.exec(lines) ?? [];
    if (families.has(name) || name === "") throw new Error(`A second or lonely family: ${lines}`);
    const values = new Map<string, number>();
    for (const line of samples.split("\n").filter(Boolean)) {
      const end = line.lastIndexOf(" ");
      const sample = line.slice(0, end);
      if (values.has(sample) || !sample.startsWith(name)) {
        throw new Error(`Twice, or not in ${name}: ${line}`);
      }
      values.set(sample, Number(line.slice(end + 1)));
    }
    families.set(name, { help, type, samples: values });
  }
  return families;
}
