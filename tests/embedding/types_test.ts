/** What must not compile does not, by the declarations of the package: the compiler is the first to tell of a misuse. */

import { compile, inProject, resolutions, root, test } from "../package/project.ts";

const sources = `${root}tests/embedding/types`;

test("types: they do without those of browsers, where Node's are", async () => {
  await inProject({ sources, packages: ["@types/node"] }, async (project) => {
    await compile(project, ["uses.mts", "misuses.mts"], "nodenext", "node");
  });
});

for (const resolution of resolutions) {
  test(`types: uses compile and misuses do not (moduleResolution ${resolution})`, async () => {
    await inProject({ sources }, (project) => compile(project, ["uses.mts", "misuses.mts"], resolution));
  });
}
