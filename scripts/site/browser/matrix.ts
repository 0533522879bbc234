/** Makes the matrix of a page sortable by its columns, and lets people choose the rows that they see. */
/// <reference lib="dom" />

/** The columns that count no failures of a part. */
const notJudged: readonly string[] = ["library", "must"];

const tables = [...document.querySelectorAll<HTMLTableElement>("table[data-matrix]")];
for (const table of tables) makeSortable(table);
addFilter();

function makeSortable(table: HTMLTableElement): void {
  const heads = [...table.tHead!.rows[0]!.cells];
  for (const [column, head] of heads.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isUp = head.ariaSort !== "ascending";
      for (const each of heads) each.ariaSort = null;
      head.ariaSort = isUp ? "ascending" : "descending";
      sort(table, column, isUp ? 1 : -1);
    });
  }
}

function sort(table: HTMLTableElement, column: number, direction: 1 | -1): void {
  const body = table.tBodies[0]!;
  const keyed = [...body.rows].map((row) => ({ row, key: readKey(row.cells[column]!) }));
  keyed.sort(({ key: left }, { key: right }) => {
    // What was not judged is last in either direction.
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    return direction * (typeof left === "string" ? left.localeCompare(`${right}`) : left - Number(right));
  });
  body.append(...keyed.map(({ row }) => row));
}

/** By failures, then by advice. The first column is in the order of its texts. */
function readKey(cell: HTMLTableCellElement): number | string | undefined {
  const text = cell.textContent ?? "";
  if (cell.cellIndex === 0) return text.toLowerCase();
  const count = (mark: string) => Number(new RegExp(`${mark}\\s(\\d+)`).exec(text)?.[1] ?? 0);
  return /[✗△✓]/.test(text) ? count("✗") * 1000 + count("△") : undefined;
}

/** One filter for all tables of the page, because they are parts of one matrix. */
function addFilter(): void {
  const names = [
    ...new Set(tables.flatMap((table) => [...table.tHead!.rows[0]!.cells].map((head) => head.textContent!))),
  ];
  const form = document.createElement("form");
  form.className = "filter";
  const words = labelled("Library", document.createElement("input"));
  words.field.type = "search";
  const area = labelled("Show", document.createElement("select"));
  area.field.append(
    new Option("all", ""),
    ...names.filter((name) => !notJudged.includes(name)).map((name) => new Option(`failures: ${name}`, name)),
  );
  const shown = document.createElement("p");
  shown.setAttribute("role", "status");
  form.append(words.label, area.label, shown);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    shown.textContent = filter(words.field.value.toLowerCase(), area.field.value);
  });
  headingOf(tables[0]!).before(form);
}

function headingOf(table: HTMLTableElement): HTMLElement {
  return table.closest(".wide")!.previousElementSibling as HTMLElement;
}

function labelled<Field extends HTMLElement>(
  text: string,
  field: Field,
): { label: HTMLLabelElement; field: Field } {
  const label = document.createElement("label");
  label.append(`${text} `, field);
  return { label, field };
}

function filter(words: string, area: string): string {
  let [shown, all] = [0, 0];
  for (const table of tables) {
    const before = shown;
    const column = [...table.tHead!.rows[0]!.cells].findIndex((head) => head.textContent === area);
    for (const row of table.tBodies[0]!.rows) {
      const names = row.cells[0]!.textContent!.toLowerCase();
      const hasFailure = area === "" || /✗\s[1-9]/.test(row.cells[column]?.textContent ?? "");
      row.hidden = !names.includes(words) || !hasFailure;
      all++;
      if (!row.hidden) shown++;
    }
    for (const part of [headingOf(table), table.closest<HTMLElement>(".wide")!]) {
      part.hidden = shown === before;
    }
  }
  return shown === all ? "" : `${shown} of ${all} rows`;
}
