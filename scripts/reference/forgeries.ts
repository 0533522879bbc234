/** docs/reference/forgeries.md. */
import { catalogue } from "../../src/misbehaviours/catalogue.ts";
import { forgeries } from "../../src/misbehaviours/names.ts";
import { code, markNames, type Page, table } from "./markdown.ts";

export function writeForgeries(): Page {
  const rows = forgeries.map((name) => {
    const { server, rule, level, api } = catalogue.get(name)!;
    const { status, error, opaque } = api!;
    return [
      code(name),
      markNames(server),
      error === undefined ? "accepts it" : `${status} ${code(error)}`,
      level,
      rule,
      opaque ? "yes" : "",
    ];
  });
  return {
    title: "Forgeries",
    summary:
      `${forgeries.length} access tokens with one fault or one oddity each, and how an API must answer them.`,
    parts: [
      'In a test, `await as.forge("access_token.expired", { scope: "orders" })` makes one: it resolves to `{ name, token, verdict }`, ' +
      "and the verdict has the status and the error that the API must answer. `as.forgeries` lists the names. Over " +
      'HTTP, `POST /_postern/forge` takes `{ "name": "access_token.expired" }`. [Test an API](../test_an_api.md) has a complete test.',
      "The API itself finds every fault except `access_token.revoked`. For that, it must ask the server by introspection. " +
      "The level says how strongly the rule obliges the API: `must`, `hardening` if the rule leaves the API a choice, and " +
      "`tolerate` if the token is only unusual, so that the API has to accept it.",
      "`as.misbehave` takes the same names: then the server issues such tokens to its clients.",
      table(["name", "the fault", "the API answers", "level", "rule", "opaque tokens, too"], rows),
    ],
  };
}
