/** How long issuers live that requests have begun, and how many there are. */

import { assertEquals } from "@std/assert";
import { type BegunIssuers, createBegunIssuers } from "../../../src/kit/mock/begun_issuers.ts";
import { type Answer, fromRequest } from "../../../src/ground/http/message.ts";
import { test } from "../../runner.ts";

const url = "http://localhost:8080/any/jwks";

interface Begun {
  /** Begins issuers, and returns the refusals. */
  begin(prefix: string, count: number, headers?: Readonly<Record<string, string>>): readonly Answer[];
  readonly ended: readonly string[];
}

function createBegun(now: () => number): Begun & { readonly issuers: BegunIssuers } {
  const issuers = createBegunIssuers(now);
  const ended: string[] = [];
  return {
    issuers,
    ended,
    begin(prefix, count, headers = {}) {
      const request = fromRequest(new Request(url, { headers }), undefined);
      const names = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
      const end = (name: string) => void ended.push(name);
      return names.flatMap((name) => issuers.begin(name, request, { end }) ?? []);
    },
  };
}

test("begun issuers: if there are 100, one without records makes room after ten minutes", () => {
  let time = 1_800_000_000;
  const { issuers, begin, ended } = createBegun(() => time);
  begin("used", 1);
  issuers.noteRecord("used-1", 3600);
  time += 100;
  assertEquals(begin("unused", 99), []);
  time += 599;
  assertEquals(begin("early", 1).map(({ headers }) => headers["retry-after"]), ["1"]);
  time++;
  assertEquals([begin("next", 1), ended], [[], ["unused-1"]]);
});

// A web page in another tab can send these with <img> or fetch, without reading the answer.
const ofAnotherSite = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "no-cors",
  "sec-fetch-dest": "image",
};

test("begun issuers: a page of another site leaves half of the names to others", () => {
  const { begin } = createBegun(() => 1_800_000_000);
  assertEquals(begin("spam", 60, ofAnotherSite).length, 10);
  assertEquals(begin("honest", 50), []);
  assertEquals(begin("last", 1).map(({ status }) => status), [503]);
});
