/** `deno task cards:keep NAME CARD`: writes a card that `examine-api` made by hand into docs/api_cards. */
import { apisByHand } from "../tests/kit/examined/apis_by_hand.ts";
import { formatLines, keepApiByHand } from "../tests/kit/examined/examine_library.ts";
import { deno } from "./runtimes.ts";

const [name = "", card] = Deno.args;
const api = apisByHand[name];
if (api === undefined || card === undefined) {
  const names = Object.keys(apisByHand).join(", ");
  console.error(`Give the name of the card and the file that examine-api wrote. The names are ${names}.`);
  Deno.exit(2);
}

await Deno.writeTextFile(
  `docs/api_cards/${name}.json`,
  formatLines(keepApiByHand(api, await Deno.readTextFile(card))),
);
const { success } = await new Deno.Command(deno.path, { args: ["task", "--quiet", "docs"] }).spawn().status;
Deno.exit(success ? 0 : 1);
