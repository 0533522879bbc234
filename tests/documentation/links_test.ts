/** A broken link is found: to a file, or to a heading. */

import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { findBrokenLinks } from "./links.ts";

const text = `# Title

[one](CONTRIBUTING.md), [two](docs/README.md#no-such-heading "title"), [three](#title), [four](#other),
[five](missing.md), ![six](docs/pictures/missing.png), [seven](https://example.com/missing.md), \`[code](gone.md)\`,
[eight][label], [nine](../outside.md)

[label]: docs/nowhere.md

\`\`\`text output
[ten](gone.md)
\`\`\`

<img src="static/gone.svg">
`;

test("links: a link to a missing file, a missing heading or a file outside of the repository is found", () => {
  assertEquals(findBrokenLinks("README.md", text), [
    ...[
      "docs/README.md#no-such-heading",
      "#other",
      "missing.md",
      "docs/pictures/missing.png",
      "../outside.md",
    ],
    ...["docs/nowhere.md", "static/gone.svg"],
  ]);
});
