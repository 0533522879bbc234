/** Makes the server as one JavaScript file, which every kit carries. Node 20.12, Deno and Bun run it. */
import { bundleCommand } from "../bundle.ts";
import { onlyVersion } from "../package/only_version.ts";

export const serverFile = "kits/server/postern.mjs";

/** In octets. A wheel, a jar and a Go module each have the file. */
const mostOctets = 2_500_000;

export async function bundleServer(version: string, outfile: string = serverFile): Promise<void> {
  await bundleCommand({
    outfile,
    conditions: ["node", "module"],
    minify: true,
    charset: "utf8",
    plugins: [onlyVersion(version)],
  });
  const { size } = await Deno.stat(outfile);
  if (size > mostOctets) throw new Error(`${outfile} has ${size} octets: more than ${mostOctets}`);
  console.log(`${outfile}: ${(size / 1e6).toFixed(2)} MB`);
}
