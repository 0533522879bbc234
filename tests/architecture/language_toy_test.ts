/** A language of the pages is one file and one line: the toy adds French to a copy of the sources. */

import { assertEquals } from "@std/assert";
import { cp, readFile, writeFile } from "node:fs/promises";
import { inFolder, start } from "../cli/command.ts";
import { root, runtimes, succeed } from "../package/project.ts";
import { test } from "../runner.ts";

const program = `import { createServer } from "./src/mod.ts";
const server = createServer({ issuer: "https://as.test" });
const get = (path) => server.fetch(new Request("https://as.test" + path, { headers: { accept: "text/html" } }));
const metadata = await (await get("/.well-known/openid-configuration")).json();
const { pathname, search } = new URL((await get("/start?client_id=demo")).headers.get("location"));
const html = await (await get(pathname + search + "&ui_locales=fr")).text();
const refusal = await (await get("/oauth2/authorize?client_id=demo&redirect_uri=x&ui_locales=fr")).text();
const headings = [html, refusal].map((text) => /<html lang="(.+?)">.*<h1>(.+?)<.h1>/s.exec(text)?.slice(1));
console.log(JSON.stringify([metadata.ui_locales_supported, ...headings]));
await server.close();
`;

test("architecture: a language is one file and one line", () =>
  inFolder(async (path) => {
    for (const part of ["src", "static", "deno.json"]) {
      await cp(`${root}/${part}`, path(part), { recursive: true });
    }
    const words = path("src/pages/words"), list = `${words}/languages.ts`;
    const english = JSON.parse(await readFile(`${words}/en.json`, "utf8"));
    const french = JSON.stringify(english, (_name, value) =>
      typeof value === "string" ? `Fr: ${value}` : value);
    await writeFile(`${words}/fr.json`, french);
    const line = '  fr: () => import("./fr.json", { with: { type: "json" } }),\n';
    const text = await readFile(list, "utf8");
    await writeFile(
      list,
      text.replace(/^ {2}de: .*\n/m, (german) =>
        german + line),
    );
    await writeFile(path("program.js"), program);

    const command = [runtimes.deno.path, "run", "--allow-all", "--no-check"] as const;
    const { stdout } = await succeed(start(["program.js"], { command, cwd: path("") }));
    assertEquals(JSON.parse(stdout), [
      ["en", "de", "fr"],
      ["fr", `Fr: ${english.signIn.heading}`],
      ["fr", `Fr: ${english.refusal.headings.other}`],
    ]);
  }));
