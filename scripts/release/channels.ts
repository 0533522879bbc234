/**
 * The rehearsals of the channels. To publish, the workflow has a job for each channel, which runs none of this code, because
 * it has the right to publish.
 */
import { image } from "../published.ts";
import { runProgram } from "../run_program.ts";
import { rehearsePublication } from "./sources.ts";
import { channelFolder, done, folder, listDownloads, packageOf, type Step } from "./release.ts";

export const channels: Readonly<Record<string, Step>> = {
  npm: {
    does: "says what npm would publish",
    adds: "npm publish, with provenance, by the identity of the workflow",
    run: (release) =>
      runProgram("npm", [
        "publish",
        `./${packageOf(release)}`,
        "--access=public",
        "--ignore-scripts",
        "--dry-run",
      ]),
  },

  jsr: {
    does: "says what JSR would publish of the sources",
    adds: "deno publish, by the identity of the workflow",
    run: rehearsePublication,
  },

  ghcr: {
    does: "names the tags of the image",
    adds: "the push to the registry of GitHub, with the token of the job",
    run: ({ version }) => Promise.resolve(done(`It would push ${image}:${version} and ${image}:latest`)),
  },

  github: {
    does: "lists the files of the page of the release",
    adds: "gh release create, with the token of the job",
    run() {
      const files = listDownloads().map((name) => `${folder}/${name}`);
      return Promise.resolve(done(`With ${channelFolder}/notes.md: ${files.join(", ")}`));
    },
  },
};
