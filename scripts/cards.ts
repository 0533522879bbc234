/**
 * `deno task cards [NAMES]`: examines libraries on Node 20, and writes their cards into docs/cards and docs/api_cards.
 * With `--beyond`, it examines the programs of other languages instead, where their language is on this machine.
 */
import { examined } from "../tests/kit/examined/all.ts";
import { examinedApis } from "../tests/kit/examined/apis.ts";
import { apisBeyond } from "../tests/kit/examined/apis_beyond.ts";
import { clientsBeyond } from "../tests/kit/examined/clients_beyond.ts";
import { bundle } from "./bundle.ts";
import { makeCardsBeyond } from "./cards_beyond.ts";
import { deno, obtainRuntime, oldestNode } from "./runtimes.ts";

const folders = { "docs/cards": Object.keys(examined), "docs/api_cards": Object.keys(examinedApis) };
const built = "dist/examined";

const onNode = Object.values(folders).flat();
const beyond = [...new Set([clientsBeyond, apisBeyond].flatMap(Object.keys))];
const given = Deno.args.filter((each) => each !== "--beyond");
const names = given.length > 0 ? given : Deno.args.length > 0 ? beyond : onNode;
const unknown = names.find((name) => ![...onNode, ...beyond].includes(name));
if (unknown !== undefined) {
  console.error(
    `There is no examined library ${unknown}: the libraries are ${[...onNode, ...beyond].join(", ")}`,
  );
  Deno.exit(2);
}

const success = await makeCardsOnNode(names.filter((name) => onNode.includes(name)));
const left = await makeCardsBeyond(names.filter((name) => beyond.includes(name)));
// The page about the cards is one of the pages that are made from the code.
const { success: made } = await new Deno.Command(deno.path, { args: ["task", "--quiet", "docs"] })
  .spawn().status;
// A card that was asked for by its name has to be made.
Deno.exit(success && made && !left.some((name) => given.includes(name)) ? 0 : 1);

async function makeCardsOnNode(names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true;
  await Deno.mkdir(built, { recursive: true });
  await Deno.writeTextFile(`${built}/package.json`, `{ "type": "module" }\n`);
  await bundle({
    entryPoints: [{ in: "tests/kit/examined/run.ts", out: "run" }],
    outdir: built,
    splitting: true,
    sourcemap: "inline",
  });
  const paths = Object.entries(folders).flatMap(([folder, own]) =>
    own.filter((name) => names.includes(name)).map((name) => `${folder}/${name}.json`)
  );
  const node = await obtainRuntime(oldestNode);
  const { success } = await new Deno.Command(node.path, { args: [`${built}/run.js`, ...paths] })
    .spawn().status;
  // A library that is no longer examined leaves no card.
  if (success && Deno.args.length === 0) {
    for (const [folder, own] of Object.entries(folders)) {
      for (const { name } of Deno.readDirSync(folder)) {
        if (![...own, ...beyond].includes(name.replace(/\.json$/, ""))) {
          await Deno.remove(`${folder}/${name}`);
        }
      }
    }
  }
  return success;
}
