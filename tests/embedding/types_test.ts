/** What must not compile does not, by the declarations of the package: the compiler is the first to tell of a misuse. */

import { compile, inProject, resolutions, root, test } from "../package/project.ts";

const sources = `${root}tests/embedding/types`;

for (const resolution of resolutions) {
  test(`types: uses compile and misuses do not (moduleResolution ${resolution})`, async () => {
    await inProject({ sources }, (project) => compile(project, ["uses.mts", "misuses.mts"], resolution));
  });
}
