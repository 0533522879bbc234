/** A chart of lines. Both axes are logarithmic. */
import { drawFrame, drawLegend, drawText, round } from "./frame.ts";

export interface LineChart {
  readonly title: string;
  readonly description: string;
  /** The values of the axis below, from left to right. All lines have a point for each. */
  readonly steps: readonly number[];
  readonly below: string;
  /** The marked values of the other axis, the lowest first. */
  readonly marks: readonly { readonly value: number; readonly text: string }[];
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const width = 760;
const height = 380;
const area = { left: 70, right: 28, top: 96, bottom: 64 };

export function drawLineChart({ title, description, steps, below, marks, lines }: LineChart): string {
  const across = (step: number) =>
    area.left + (width - area.left - area.right) * position(step, steps[0]!, steps.at(-1)!);
  const [lowest, highest] = [marks[0]!.value, marks.at(-1)!.value];
  const up = (value: number) =>
    height - area.bottom - (height - area.top - area.bottom) * position(value, lowest, highest);
  const classes = ["first", "second"];
  return drawFrame({ width, height, title, description }, [
    ...drawLegend(lines.map(({ name }, at) => ({ text: name, classes: `dot ${classes[at]}` })), {
      x: 24,
      y: 66,
    }),
    ...marks.flatMap(({ value, text }) => [
      `<line class="grid" x1="${area.left}" x2="${width - area.right}" y1="${round(up(value))}" y2="${
        round(up(value))
      }"/>`,
      drawText(text, { x: area.left - 10, y: up(value) + 4, classes: "soft small", anchor: "end" }),
    ]),
    ...steps.map((step) =>
      drawText(step.toLocaleString("en"), {
        x: across(step),
        y: height - area.bottom + 22,
        classes: "soft small",
        anchor: "middle",
      })
    ),
    drawText(below, {
      x: (area.left + width - area.right) / 2,
      y: height - 16,
      classes: "soft small",
      anchor: "middle",
    }),
    ...lines.flatMap(({ values }, at) => {
      const points = values.map((value, index) => `${round(across(steps[index]!))},${round(up(value))}`);
      return [
        `<polyline class="line ${classes[at]}" points="${points.join(" ")}"/>`,
        ...points.map((point) => {
          const [x, y] = point.split(",");
          return `<circle class="dot ${classes[at]}" cx="${x}" cy="${y}" r="3.5"/>`;
        }),
      ];
    }),
  ]);
}

/** Where the value lies between the ends, from 0 to 1. */
function position(value: number, low: number, high: number): number {
  return Math.log(value / low) / Math.log(high / low);
}
