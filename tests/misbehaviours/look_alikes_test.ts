/** The look-alikes as data: each difference does something, and names a page of the provider itself. */

import { assert, assertMatch } from "@std/assert";
import { lookAlikes } from "../../src/misbehaviours/look_alikes/look_alikes.ts";
import {
  type LookAlikeName,
  lookAlikeNames,
  lookAlikeTitles,
} from "../../src/misbehaviours/look_alikes/names.ts";
import { test } from "../runner.ts";

const documentation: Readonly<Record<LookAlikeName, string>> = {
  entra: "https://learn.microsoft.com/en-us/entra/",
  github: "https://docs.github.com/en/",
  google: "https://developers.google.com/",
  slack: "https://docs.slack.dev/",
};

for (const name of lookAlikeNames) {
  test(`look-alikes: ${name} has differences that do something, each with a page of its documentation`, () => {
    const { differences } = lookAlikes[name];
    assert(differences.length > 0 && lookAlikeTitles[name] !== "");
    for (const { server, source, same, settings, acts } of differences) {
      assertMatch(server, /^[A-Z].*\.$/s);
      assert(source.url.startsWith(documentation[name]) && source.title !== "", source.url);
      assert(same !== undefined || settings !== undefined || acts !== undefined, server);
    }
  });
}
