/** Rules for the document of every page of the dashboard, and of the pages of the server in its frame. */
import { assetNames } from "../../../src/server/pages/asset_names.ts";
import { toolAssetNames } from "../../../src/tools/guard/asset_names.ts";
import * as toolAssets from "../../../src/tools/guard/asset_texts.ts";
import { testAsset, testDocument } from "../../server/pages/document_rules.ts";
import { load, openControlled, origin, submit } from "./open_dashboard.ts";
import { authorizePath, getCode, redeem, spa, spaOptions } from "./spa.ts";

for (const [name, html] of await openControlPages()) {
  testDocument(name, html, [...assetNames, ...toolAssetNames]);
}
for (const [name, text] of Object.entries(toolAssets)) testAsset(name, text);

/** Pages of a server with `--control`, after a login. */
async function openControlPages(): Promise<ReadonlyMap<string, string>> {
  const redirect_uri = `${origin}/authorized`;
  const clients = [spa, { client_id: "demo", redirect_uris: [redirect_uri] }];
  await using dashboard = await openControlled({ ...spaOptions, clients });
  await redeem(dashboard, await getCode(dashboard));
  const examine = "/misbehaviours/examine";
  const paths = ["/", "/people", "/clients", "/playground", "/search?q=spa"];
  const found = new Map<string, string>();
  for (const path of [...paths, "/misbehaviours", "/misbehaviours/gates", examine]) {
    found.set(path, await load(dashboard, path));
  }
  const begun = (await dashboard.send("/start?client_id=demo")).headers.get("location")!;
  const asked = {
    begun: begun.replace(origin, ""),
    elsewhere: authorizePath({ client_id: "demo", redirect_uri }),
  };
  for (const [where, path] of Object.entries(asked)) {
    const callback = (await dashboard.send(path)).headers.get("location")!;
    found.set(`/authorized, ${where}`, await load(dashboard, callback.replace(origin, "")));
  }
  await submit(dashboard, examine, { action: "choose", level: "must" });
  return found.set(`${examine} with a choice`, await load(dashboard, examine));
}
