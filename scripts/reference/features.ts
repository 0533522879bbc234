/** docs/reference/features.md. */
import type { AnyFeature } from "../../src/server/oauth/contracts/feature.ts";
import { listFeatures } from "./feature_list.ts";
import { code, markNames, type Page, table } from "./markdown.ts";

export async function writeFeatures(): Promise<Page> {
  const features = await listFeatures();
  return {
    title: "Features",
    summary: "What the server supports, and its specification. The metadata document announces the same.",
    parts: [
      table(
        ["feature", "what it is", "specification"],
        features.map(({ feature, description, spec }) => [code(feature.name), markNames(description), spec]),
      ),
      "## What a client can use",
      table(["kind", "values"], gatherValues(features.map(({ feature }) => feature))),
      "[Endpoints](endpoints.md) lists the paths, and [Configuration](configuration.md#clients) the members of client " +
      "metadata.",
    ],
  };
}

/** The values of the protocol that features add, such as grant types. */
function gatherValues(features: readonly AnyFeature[]): readonly (readonly string[])[] {
  const names = (read: (feature: AnyFeature) => readonly string[] | undefined) =>
    [...new Set(features.flatMap((feature) => read(feature) ?? []))].map(code).join(", ");
  const namesOf = (slot: "clientAuth" | "requestParams" | "responseTypes" | "responseModes" | "grantTypes") =>
    names((feature) => feature[slot]?.map(({ name }) => name));
  return [
    ["grant types", namesOf("grantTypes")],
    ["client authentication", `${code("none")}, ${namesOf("clientAuth")}`],
    ["response types", namesOf("responseTypes")],
    ["response modes", namesOf("responseModes")],
    ["more authorization parameters", namesOf("requestParams")],
    ["scopes with a meaning of their own", names(({ scopes }) => scopes)],
  ];
}
