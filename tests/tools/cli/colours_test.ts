/** Whether the output has colours. */

import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import { test } from "../../runner.ts";
import { assertKept } from "./assert_kept.ts";
import { withEnvironment } from "./in_process.ts";

test("colours: they are for a terminal, and the environment decides (no-color.org)", () =>
  assertKept("colours", (given) => {
    const { isTTY, ...env } = JSON.parse(given);
    return withEnvironment({ NO_COLOR: "", FORCE_COLOR: "", TERM: "xterm", ...env }, () => {
      const painted = Object.entries(createColours({ isTTY })).map(([name, paint]) => paint(name));
      return Promise.resolve(painted.join(" ").replaceAll("\x1b", "ESC"));
    });
  }));
