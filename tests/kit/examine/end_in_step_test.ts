/** Runs go on in step: each request waits until every other run has sent one, too, wherever it goes. */

import { assertEquals } from "@std/assert";
import { endInStep } from "../../../src/kit/examine/end_in_step.ts";
import type { EndpointName } from "../../../src/kit/mock/endpoints.ts";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import { testUsing } from "../../test_in.ts";

const it = testUsing(() => createMock({ alg: "EdDSA" }));

type Request = readonly [endpoint: EndpointName, path: string];
const keys: Request = ["jwks", "/oauth2/jwks"];
const person: Request = ["userinfo", "/userinfo"];

const runs: Readonly<Record<string, readonly [one: readonly Request[], other: readonly Request[]]>> = {
  "to the first endpoint": [[keys, keys, keys], [keys, keys, keys]],
  "to the last endpoint": [[person, person], [person, person]],
  "to two endpoints, each its own": [[keys, keys, keys], [person, person, person]],
  "to two endpoints, in turns": [[person, keys], [keys, person]],
  "until one has ended": [[person], [person, keys, person]],
};

for (const [what, both] of Object.entries(runs)) {
  it(`in step: two runs that send requests ${what}`, async (as: Mock) => {
    const gates = [as.hold("jwks"), as.hold("userinfo")];
    const answered: number[] = [];
    const sent: number[] = [];
    const started = both.map(async (requests) => {
      for (const [at, [, path]] of requests.entries()) {
        sent.push(at);
        await (await as.fetch(as.issuer + path)).text();
        answered.push(at);
      }
    });
    await endInStep(started, gates, 3);
    const found = [[...sent], [...answered]];
    for (const gate of gates) gate.release();
    await Promise.all(started);
    const inOrder = both.flatMap((requests) => [...requests.keys()]).sort();
    assertEquals(found, [inOrder, inOrder]);
  });
}
