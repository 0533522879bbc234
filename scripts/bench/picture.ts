/** Draws docs/pictures/performance.svg: the processor time of a code flow on each server. */
import type { CourseFigures } from "./course_figures.ts";
import type { Report } from "./scenario.ts";
import { codeFlowTitle } from "./scenarios/code_flows.ts";
import { fixed, whole } from "./table.ts";

const width = 760;
const row = 22;
const heading = 40;
/** Where the bars begin, and their greatest length. */
const bars = { left: 190, length: 360 };

/** The servers of the picture, in this order, with the words for them. The table has the others too. */
const shown: Readonly<Record<string, string>> = {
  "limit": "bare server",
  "limit, same listener": "bare server",
  "postern as started": "Postern",
  "postern as started, before": "Postern, before",
  "oauth2-mock-server": "oauth2-mock-server",
  "oidc-provider": "oidc-provider",
};

const style = `
text { font: 13px system-ui, sans-serif; fill: #1b2329; }
.heading { font-weight: 600; }
.figures { font-size: 12px; fill: #4a5660; }
.wall { fill: #fbfcfc; }
.bare { fill: #b9c2c6; }
.own { fill: #f6b93b; }
@media (prefers-color-scheme: dark) {
  text { fill: #e9edee; }
  .figures { fill: #aab5bc; }
  .wall { fill: #1c2328; }
  .bare { fill: #6b7b88; }
}`;

export function drawFlows(reports: readonly Report[]): string {
  const figures = reports.find(({ title }) => title === codeFlowTitle)?.figures ?? [];
  if (figures.length === 0) throw new Error("The file has no figures of the scenario code_flow");
  const groups = Map.groupBy(figures as readonly CourseFigures[], ({ runtime, alg }) => `${runtime} ${alg}`);
  const parts: string[] = [];
  let top = 0;
  for (const [name, all] of groups) {
    const rows = chooseRows(all);
    const longest = Math.max(...rows.map(({ cpu = 0 }) => cpu));
    parts.push(text("heading", 12, top + 28, name[0]!.toUpperCase() + name.slice(1)));
    rows.forEach((each, index) => parts.push(...drawRow(each, top + heading + index * row, longest)));
    top += heading + rows.length * row;
  }
  const height = top + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>Processor time of a code flow on each server</title>
<style>${style}
</style>
<rect class="wall" width="${width}" height="${height}" rx="6"/>
${parts.join("\n")}
</svg>
`;
}

/** Returns the better bare server, and the others that the picture has. */
function chooseRows(figures: readonly CourseFigures[]): readonly CourseFigures[] {
  const order = Object.keys(shown);
  return figures.filter(({ server, cpu, ownWork }) =>
    server in shown && cpu !== undefined && (ownWork === undefined || !server.startsWith("limit"))
  ).toSorted((one, other) => order.indexOf(one.server) - order.indexOf(other.server));
}

function drawRow(
  { server, cpu = 0, ownWork, ofLimit, flowsPerSecond }: CourseFigures,
  top: number,
  longest: number,
): readonly string[] {
  const lengthOf = (time: number) => Math.round(time / longest * bars.length);
  const own = lengthOf(ownWork ?? 0);
  const bare = lengthOf(cpu) - own;
  // The limit with the least work may be the slower one.
  const share = ownWork === undefined ? "" : ` (${fixed(ofLimit, 2)})`;
  return [
    text("server", 12, top + 13, shown[server]!),
    `<rect class="bare" x="${bars.left}" y="${top + 2}" width="${bare}" height="14"/>`,
    `<rect class="own" x="${bars.left + bare}" y="${top + 2}" width="${own}" height="14"/>`,
    text(
      "figures",
      bars.left + bare + own + 8,
      top + 13,
      `${whole(cpu)} µs, ${whole(flowsPerSecond)} a second${share}`,
    ),
  ];
}

function text(name: string, x: number, y: number, words: string): string {
  return `<text class="${name}" x="${x}" y="${y}">${words}</text>`;
}
