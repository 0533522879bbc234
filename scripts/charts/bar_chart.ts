/** A chart of horizontal bars, in groups. */
import { drawFrame, drawLegend, drawText, round } from "./frame.ts";

export interface BarChart {
  readonly title: string;
  readonly description: string;
  /** What the two bars of a group mean. */
  readonly series: readonly [string, string];
  readonly groups: readonly BarGroup[];
  readonly footnote: string;
}

export interface BarGroup {
  readonly name: string;
  /** One bar for each series. `undefined`: there is none, and the remark says why. */
  readonly bars: readonly (Bar | undefined)[];
}

export interface Bar {
  readonly value: number;
  readonly text: string;
  readonly remark: string;
}

const width = 760;
const left = 120;
const right = 250;
const top = 88;
const barHeight = 18;
const groupHeight = 58;

export function drawBarChart({ title, description, series, groups, footnote }: BarChart): string {
  const height = top + groups.length * groupHeight + 34;
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map((bar) => bar?.value ?? 0)));
  const scale = (width - left - right) / most;
  const classes = ["first", "second"];
  const parts = groups.flatMap(({ name, bars }, index) => {
    const y = top + index * groupHeight;
    return [
      drawText(name, { x: left - 14, y: y + 23, anchor: "end" }),
      ...bars.flatMap((bar, at) => {
        if (bar === undefined) return [];
        const barTop = y + at * (barHeight + 3);
        const length = Math.max(2, bar.value * scale);
        return [
          `<rect class="${classes[at]}" x="${left}" y="${round(barTop)}" width="${
            round(length)
          }" height="${barHeight}" rx="3"/>`,
          drawText(bar.text, { x: left + length + 8, y: barTop + 14 }),
          drawText(bar.remark, { x: width - 24, y: barTop + 14, classes: "soft small", anchor: "end" }),
        ];
      }),
    ];
  });
  const legend = series.map((text, at) => ({ text, classes: classes[at]! }));
  return drawFrame({ width, height, title, description }, [
    ...drawLegend(legend, { x: 24, y: 64 }),
    ...parts,
    drawText(footnote, { x: 24, y: height - 16, classes: "soft small" }),
  ]);
}
