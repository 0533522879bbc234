/** Describes values and their differences for the messages of failed assertions. */

/** A value as text: on one line if that is short, otherwise one line for each member. Keys are sorted. */
export function describe(value: unknown, width = 80): string {
  return render(value, width, "", []);
}

/** Both values line by line: `-` marks lines of `actual` only, `+` lines of `expected` only. */
export function describeDifference(actual: unknown, expected: unknown): string {
  const asText = typeof actual === "string" && typeof expected === "string" &&
    /\n/.test(actual + expected);
  const before = (asText ? actual : describe(actual, 0)).split("\n");
  const after = (asText ? expected : describe(expected, 0)).split("\n");
  // The comparison needs time and memory for every pair of lines.
  const lines = before.length * after.length > 1_000_000
    ? [
      ...before.map((line) => `-   ${line}`),
      ...after.map((line) => `+   ${line}`),
    ]
    : compareLines(before, after);
  return ["    [- actual / + expected]", "", ...lines, ""].join("\n");
}

function render(
  value: unknown,
  width: number,
  indent: string,
  parents: readonly object[],
): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") {
    return `[function ${value.name || "without a name"}]`;
  }
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return String(value);
  if (parents.includes(value)) return "[circular]";
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? "Date invalid" : value.toISOString();
  }
  if (value instanceof RegExp) return String(value);
  if (value instanceof URL) return `URL ${value}`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;

  const each = (item: unknown) => render(item, width, `${indent}  `, [...parents, value]);
  const enclose = (open: string, items: readonly string[], close: string) => {
    if (items.length === 0) return open + close;
    const line = `${open} ${items.join(", ")} ${close}`;
    if (indent.length + line.length <= width && !line.includes("\n")) {
      return line;
    }
    return `${open}\n${items.map((item) => `${indent}  ${item},\n`).join("")}${indent}${close}`;
  };
  if (Array.isArray(value)) return enclose("[", value.map(each), "]");
  const name = value.constructor?.name ?? "Object";
  if (value instanceof Map) {
    return enclose(
      `${name} {`,
      [...value].map(([key, item]) => `${each(key)} => ${each(item)}`),
      "}",
    );
  }
  if (value instanceof Set) {
    return enclose(`${name} {`, [...value].map(each), "}");
  }
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) {
    return enclose(
      `${name} [`,
      [...value as Iterable<unknown> & typeof value].map(each),
      "]",
    );
  }
  const keys = [
    ...Object.keys(value).sort(),
    ...Object.getOwnPropertySymbols(value),
  ];
  const members = keys.map((key) => {
    const label = typeof key === "symbol" ? `[${String(key)}]` : JSON.stringify(key);
    return `${label}: ${each(Reflect.get(value, key))}`;
  });
  return enclose(name === "Object" ? "{" : `${name} {`, members, "}");
}

// the longest common run of lines stays, everything else is marked
function compareLines(
  before: readonly string[],
  after: readonly string[],
): string[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      common[row * width + column] = before[row] === after[column]
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: string[] = [];
  let row = 0, column = 0;
  while (row < before.length || column < after.length) {
    if (
      row < before.length && column < after.length &&
      before[row] === after[column]
    ) {
      lines.push(`    ${before[row++]}`);
      column++;
    } else if (
      column >= after.length ||
      (row < before.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push(`-   ${before[row++]}`);
    } else lines.push(`+   ${after[column++]}`);
  }
  return lines;
}
