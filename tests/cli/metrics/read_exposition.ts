/** Reads the text format 0.0.4 of Prometheus strictly: an unknown line, a wrong order or a wrong histogram is an error. */

export interface Family {
  readonly help: string;
  readonly type: string;
  /** The values by the name and the labels, for example `x_bucket{le="1"}`. */
  readonly samples: Map<string, number>;
}

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"`;
const sampleLine = new RegExp(
  `^(${name})(\\{${label}(?:,${label})*\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
);

export function readExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const families = new Map<string, Family>();
  let current: readonly [name: string, family: Family] | undefined;
  let help: readonly string[] = [];
  for (const line of text.slice(0, -1).split("\n")) {
    const [, helped, words] = new RegExp(`^# HELP (${name}) (.+)$`).exec(line) ?? [];
    if (helped !== undefined) {
      help = [helped, words!];
      continue;
    }
    const [, typed, type] = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`).exec(line) ?? [];
    if (typed !== undefined) {
      if (help[0] !== typed || families.has(typed)) throw new Error(`A second or lonely TYPE: ${line}`);
      current = [typed, { help: help[1]!, type: type!, samples: new Map() }];
      families.set(...current);
      continue;
    }
    const [, sampled, labels = "", value] = sampleLine.exec(line) ?? [];
    if (sampled === undefined || current === undefined) throw new Error(`Not a line of the format: ${line}`);
    const [family, { type: kind, samples }] = current;
    const suffixes = kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    if (!suffixes.some((suffix) => sampled === family + suffix)) {
      throw new Error(`${line} is not in ${family}`);
    }
    if (samples.has(sampled + labels)) throw new Error(`Twice: ${line}`);
    samples.set(sampled + labels, Number(value));
  }
  for (const [family, { type, samples }] of families) {
    if (type === "histogram") requireHistogram(family, samples);
  }
  return families;
}

/** The buckets grow, and the last one is `+Inf` and equals the count. */
function requireHistogram(family: string, samples: ReadonlyMap<string, number>): void {
  const last = new Map<string, readonly [le: number, count: number]>();
  for (const [key, value] of samples) {
    const [, labels = "", le] = /^\w+_bucket\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? [];
    if (le === undefined) continue;
    const bound = le === "+Inf" ? Infinity : Number(le);
    const before = last.get(labels) ?? [-Infinity, 0];
    if (bound <= before[0] || value < before[1]) throw new Error(`The buckets do not grow: ${key}`);
    last.set(labels, [bound, value]);
  }
  for (const [labels, [bound, value]] of last) {
    const all = labels === "" ? "" : `{${labels}}`;
    if (bound !== Infinity || samples.get(`${family}_count${all}`) !== value) {
      throw new Error(`The last bucket is not the count: ${family}${all}`);
    }
    if (!samples.has(`${family}_sum${all}`)) throw new Error(`There is no sum: ${family}${all}`);
  }
}
