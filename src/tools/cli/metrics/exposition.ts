/** Counters, histograms and gauges, and their text for Prometheus (text format 0.0.4). */

export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** Adds one to the counter with these values of its labels. */
type Count = (...values: readonly string[]) => void;

type Observe = (value: number, ...labels: readonly string[]) => void;

interface Registry {
  counter(name: string, help: string, labels: readonly string[]): Count;
  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Observe;
  /** A value that `read` returns when the text is made. */
  gauge(name: string, help: string, read: () => number, labels?: Readonly<Record<string, string>>): void;
  format(): string;
}

type Pair = readonly [name: string, value: string];

interface Series {
  readonly pairs: readonly Pair[];
  /** The counts of the buckets, each without the values of the buckets before. A counter has one. */
  readonly counts: number[];
  sum: number;
}

// Labels come from lists in the code, so this is far away. It bounds the memory if a list ever grows.
const mostSeries = 2000;

export function createRegistry(): Registry {
  const families: (() => readonly string[])[] = [];
  const add = (type: string, name: string, help: string, listSamples: () => readonly string[]) => {
    const text = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
    families.push(() => [`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`, ...listSamples()]);
  };
  return {
    counter(name, help, labels) {
      const series = createSeries(labels, 1);
      add(
        "counter",
        name,
        help,
        () => series.all().map(({ pairs, counts }) => sample(name, pairs, counts[0]!)),
      );
      return (...values) => void series.find(values).counts[0]!++;
    },
    histogram(name, help, labels, bounds) {
      const series = createSeries(labels, bounds.length + 1);
      add("histogram", name, help, () => series.all().flatMap((each) => formatHistogram(name, bounds, each)));
      return (value, ...values) => {
        const found = series.find(values);
        const bucket = bounds.findIndex((bound) => value <= bound);
        found.counts[bucket < 0 ? bounds.length : bucket]!++;
        found.sum += value;
      };
    },
    gauge(name, help, read, labels = {}) {
      add("gauge", name, help, () => [sample(name, Object.entries(labels), read())]);
    },
    format: () => families.map((list) => `${list().join("\n")}\n`).join(""),
  };
}

function createSeries(
  labels: readonly string[],
  size: number,
): { find(values: readonly string[]): Series; all(): readonly Series[] } {
  const known = new Map<string, Series>();
  function find(values: readonly string[]): Series {
    const key = values.join("\n");
    const found = known.get(key);
    if (found !== undefined) return found;
    const others = labels.map(() => "other");
    if (known.size >= mostSeries && values.some((value) => value !== "other")) return find(others);
    const pairs = labels.map((label, index): Pair => [label, values[index] ?? ""]);
    const created = { pairs, counts: Array.from({ length: size }, () => 0), sum: 0 };
    known.set(key, created);
    return created;
  }
  return { find, all: () => [...known.values()] };
}

/** Each bucket also counts the values of the buckets before it. */
function formatHistogram(
  name: string,
  bounds: readonly number[],
  { pairs, counts, sum }: Series,
): readonly string[] {
  let count = 0;
  const buckets = [...bounds, Infinity].map((bound, index) => {
    count += counts[index]!;
    return sample(`${name}_bucket`, [...pairs, ["le", bound === Infinity ? "+Inf" : `${bound}`]], count);
  });
  return [...buckets, sample(`${name}_sum`, pairs, sum), sample(`${name}_count`, pairs, count)];
}

function sample(name: string, pairs: readonly Pair[], value: number): string {
  const labels = pairs.map(([label, text]) => `${label}="${escapeLabel(text)}"`).join(",");
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
