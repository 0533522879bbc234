/** `deno task bench:write FILE`: writes what `deno task bench --json FILE` has measured into docs/performance.md. */
import { writeFiguresPart } from "./bench/page_part.ts";
import { drawFlows } from "./bench/picture.ts";
import type { FiguresFile } from "./bench/scenario.ts";
import { rewritePage } from "./replace_parts.ts";

const [file] = Deno.args;
if (file === undefined) throw new Error("Expected a file that `deno task bench --json FILE` has written");
const figures = JSON.parse(await Deno.readTextFile(file)) as FiguresFile;
await Deno.writeTextFile("docs/pictures/performance.svg", drawFlows(figures.reports));
await rewritePage("docs/performance.md", "bench:write", new Map([["figures", writeFiguresPart(figures)]]));
