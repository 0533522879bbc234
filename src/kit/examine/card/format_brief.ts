/** Writes for a terminal what of a card needs a reader, grouped by what to mend. */

import { sayCount } from "../../../ground/values/say_count.ts";
import { visible } from "../../../ground/values/visible.ts";
import {
  countRows,
  describeLacks,
  describeRun,
  type Group,
  groupByMend,
  listDescribed,
  nameLevels,
  type Report,
  summarise,
} from "./report.ts";

// A terminal shows as many without scrolling.
const mostLines = 40;
const widest = 100;

export function formatBrief(report: Report): string {
  const { problem = "", notes } = report;
  const first = [...problem.split("\n"), describeRun(report), describeLacks(report), ...notes]
    .filter((line) => line !== "");
  const sections = listDescribed(report).map(({ title, rows }) => ({
    title,
    // The reader of a comparison knows the rest.
    groups: groupByMend(report.hasBaseline ? rows.filter(({ isFailure }) => isFailure) : rows),
  })).filter(({ groups }) => groups.length > 0);
  const last = [
    ...(sections.length === 0 ? [] : [
      "One row with its requests: --only NAME --requests. All of it: --card card.html.",
    ]),
    summarise(report),
  ];
  const left = mostLines - first.length - last.length - 1;
  const list = (describe: (group: Group, section: number) => readonly string[]) =>
    sections.flatMap(({ title, groups }, index) => [
      "",
      title,
      ...groups.flatMap((group) => describe(group, index)),
    ]);
  const forms = [
    list(describeGroup),
    list((group, section) => section === 0 ? describeGroup(group) : nameGroup(group)),
    list(nameGroup),
  ];
  const shown = forms.find(({ length }) => length <= left) ?? cut(forms.at(-1)!, left);
  return [...first.map(visible), ...shown, "", ...last].join("\n").trimStart();
}

function cut(lines: readonly string[], length: number): readonly string[] {
  const others = lines.slice(length - 1).filter((line) => line.startsWith(" "));
  return [
    ...lines.slice(0, length - 1),
    `  and ${sayCount(others.length, "more thing")} to mend or to consider`,
  ];
}

function nameGroup(group: Group): readonly string[] {
  return [`  ${group.title}: ${countRows(group.rows)} (${nameLevels(group)})`];
}

function describeGroup(group: Group): readonly string[] {
  const names = group.rows.map(({ name }) => name);
  const fitting = names.filter((_, index) => names.slice(0, index + 1).join(", ").length <= widest);
  const others = names.length - fitting.length;
  return [...nameGroup(group), `    ${fitting.join(", ")}${others === 0 ? "" : ` and ${others} more`}`];
}
