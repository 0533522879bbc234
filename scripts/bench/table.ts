/** Formats tables as aligned Markdown. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function formatTable({ caption, columns, rows }: Table): string {
  const widths = columns.map((name, column) =>
    Math.max(name.length, ...rows.filter((row) => row.length > 2).map((row) => (row[column] ?? "").length))
  );
  const line = (cells: readonly string[]) => {
    // a row of two cells is a name and a remark in place of figures, which may be wider than its column
    const remark = cells.length === 2;
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 || remark ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`);
  return [`${caption}\n`, line(columns), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}

export function whole(value: number | undefined): string {
  return value === undefined ? "–" : Math.round(value).toLocaleString("en");
}

export function fixed(value: number | undefined, digits: number): string {
  return value === undefined || !Number.isFinite(value) ? "–" : value.toFixed(digits);
}

export function percent(value: number | undefined): string {
  return value === undefined ? "–" : `${Math.round(value * 100)} %`;
}
