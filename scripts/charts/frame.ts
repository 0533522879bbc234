/** The frame of a chart: an SVG file that can be read in light and in dark, with the colours of the pages. */

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** What the picture shows, for people who do not see it. */
  readonly description: string;
}

// The colours are those of static/postern.css. A picture in a page sees the colour scheme, and no style of the page.
const style = `
  .panel { fill: #fbfcfc; stroke: #cdd3d5 }
  .grid { stroke: #cdd3d5; stroke-width: 1 }
  .ink { fill: #1b2329 }
  .soft { fill: #4a5660 }
  .first { fill: #f6b93b; stroke: #a86e00 }
  .second { fill: #6b7b88; stroke: #4a5660 }
  .line { fill: none; stroke-width: 2.5; stroke-linejoin: round }
  .line.first { stroke: #a86e00 }
  .line.second { stroke: #23507a }
  .dot.first { fill: #a86e00; stroke: none }
  .dot.second { fill: #23507a; stroke: none }
  text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif }
  .title { font-size: 17px; font-weight: 600 }
  .small { font-size: 12px }
  @media (prefers-color-scheme: dark) {
    .panel { fill: #1c2328; stroke: #343e45 }
    .grid { stroke: #343e45 }
    .ink { fill: #e9edee }
    .soft { fill: #aab5bc }
    .second { fill: #74818a; stroke: #aab5bc }
    .line.first { stroke: #f6b93b }
    .line.second { stroke: #a6cbee }
    .dot.first { fill: #f6b93b }
    .dot.second { fill: #a6cbee }
  }`;

/** Returns the SVG file. `parts` are elements. */
export function drawFrame({ width, height, title, description }: Frame, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeText(title)}</title>`,
    `<desc id="description">${escapeText(description)}</desc>`,
    `<style>${style}\n</style>`,
    `<rect class="panel" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    drawText(title, { x: 24, y: 36, classes: "title ink" }),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

export interface TextTerms {
  readonly x: number;
  readonly y: number;
  readonly classes?: string;
  readonly anchor?: "start" | "middle" | "end";
}

export function drawText(text: string, { x, y, classes = "ink", anchor = "start" }: TextTerms): string {
  return `<text class="${classes}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${
    escapeText(text)
  }</text>`;
}

/** A square with its meaning. Returns one element after another from left to right. */
export function drawLegend(
  entries: readonly { readonly text: string; readonly classes: string }[],
  { x, y }: { readonly x: number; readonly y: number },
): readonly string[] {
  let left = x;
  return entries.flatMap(({ text, classes }) => {
    const start = left;
    left += 46 + text.length * 6.6;
    return [
      `<rect class="${classes}" x="${round(start)}" y="${round(y - 11)}" width="13" height="13" rx="2"/>`,
      drawText(text, { x: start + 20, y, classes: "soft small" }),
    ];
  });
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
