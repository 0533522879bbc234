/** The features of a server, with what their files say about them. */
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import type { AnyFeature } from "../../src/server/oauth/contracts/feature.ts";

export interface DescribedFeature {
  readonly feature: AnyFeature;
  /** The first comment of the file, without the specification at its end. */
  readonly description: string;
  readonly spec: string;
}

export async function listFeatures(): Promise<readonly DescribedFeature[]> {
  return await Promise.all(
    defaultFeatures(everyFeature).map(async (feature) => {
      const source = await readEntry(feature.name);
      const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(source) ?? [];
      const text = comment.replace(/\s*\n\s*\*\s*/g, " ").trim();
      return {
        feature,
        description: text.replace(/ \([^()]*§[^()]*\)(?=\.$)| \((?:RFC|OAuth|OpenID)[^()]*\)(?=\.$)/, ""),
        spec: feature.spec === "Postern" ? "Postern's own" : feature.spec,
      };
    }),
  );
}

/** A feature is a file, or a folder with an entry file of the same name. */
async function readEntry(name: string): Promise<string> {
  const folder = `src/server/features/${name}`;
  const isFile = await Deno.stat(`${folder}.ts`).then(() => true, () => false);
  return await Deno.readTextFile(isFile ? `${folder}.ts` : `${folder}/${name}.ts`);
}
