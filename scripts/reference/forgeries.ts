/** docs/reference/forgeries.md. */
import { forgeries, forgingByName } from "../../src/mock/tokens/forgeries.ts";
import { code, markNames, type Page, table } from "./markdown.ts";

export function writeForgeries(): Page {
  const rows = forgeries.map((name) => {
    const { verdict: { status, error, why, spec }, opaque } = forgingByName[name];
    return [
      code(name),
      markNames(why),
      `${status} ${code(error)}`,
      spec,
      opaque ? "yes" : "",
    ];
  });
  return {
    title: "Forgeries",
    summary: `${forgeries.length} access tokens with one fault each, which an API must refuse.`,
    parts: [
      'In a test, `await as.forge("expired", { scope: "orders" })` makes one: it resolves to `{ name, token, verdict }`, ' +
      "and the verdict has the status and the error that the API must answer. `as.forgeries` lists the names. Over " +
      'HTTP, `POST /_postern/forge` takes `{ "name": "expired" }`. [Test an API](../test_an_api.md) has a complete test.',
      "The API itself finds every fault except `revoked`. For that, it must ask the server by introspection.",
      table(["name", "the fault", "the API answers", "rule", "opaque tokens, too"], rows),
    ],
  };
}
