/** The exception that a refusal suggests works for what each library has sent, however it authenticates. */

import { assertEquals, assertMatch } from "@std/assert";
import { createMock, type JournalEntry } from "../../../../src/kit/mod.ts";
import { recogniseLibrary } from "../../../../src/server/libraries/recognise.ts";
import { recordings, sendsPkce } from "../../../server/libraries/recordings.ts";
import { test } from "../../../runner.ts";
import { issuer, logIn, type Options } from "./log_in_as_library.ts";

/** Resolves to what the server says about the first request of an unknown client. */
async function readRefusal(query: string) {
  const journal: JournalEntry[] = [];
  const as = await createMock({ issuer, journal: (entry) => journal.push(entry) });
  await as.fetch(`${issuer}/oauth2/authorize${query}`, { redirect: "manual" });
  await as.close();
  return journal.at(-1)!.facts.refusal!;
}

/** What stands in the way first is another mend. */
const otherMends: Readonly<Record<string, string>> = {
  "express-openid-connect plain": "response_type_unsupported",
  "mojolicious-oauth2 plain": "response_type_missing",
};

/** Its scopes stand in one name with commas, so the request is not for openid. */
const withoutOpenid = ["grant plain"];

for (const recording of recordings.filter((each) => !sendsPkce(each))) {
  const { library, variant, authorization } = recording;
  const title = `${library} ${variant}`;
  const isRecognised = recogniseLibrary(authorization[0]!.slice(1)) !== undefined;
  test(`exception: what a refusal suggests lets ${title} log in`, async () => {
    const { reason, remedy, instead } = await readRefusal(authorization[0]!);
    if (otherMends[title] !== undefined) return assertEquals(reason, otherMends[title]);
    assertMatch(reason, /^challenge_/);
    if (withoutOpenid.includes(title)) return assertEquals(remedy, undefined);
    assertEquals(
      instead!.includes("The server cannot know yet how the client sends its secret"),
      !isRecognised,
    );
    const suggested: Options = JSON.parse(remedy!);
    const [first, next] = await logIn(recording, suggested);
    if (first.status === 200) return;
    // Nothing has shown yet how a library authenticates that is not recognised.
    assertEquals([isRecognised, (await first.json()).error], [false, "invalid_client"]);
    const [change] = JSON.parse(next!).clients;
    const clients = [{ ...suggested.clients[0], ...change }];
    assertEquals((await logIn(recording, { ...suggested, clients }))[0].status, 200);
  });
}
