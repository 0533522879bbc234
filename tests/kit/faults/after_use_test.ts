/** An API that remembers what it has accepted, and does not check it again (RFC 9068 §4; RFC 9449 §4.3 (12); RFC 8705 §3). */

import { assert, assertEquals } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import {
  type ClientCertificate,
  createMock,
  examineApi,
  type MisbehaviourName,
} from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { quickAlg } from "./clients/habits.ts";

const url = "https://api.test/orders";
const noon = "2030-01-01T12:00:00Z";

const answer = (isRight: boolean, error = "invalid_token") =>
  new Response(null, {
    status: isRight ? 200 : 401,
    ...isRight ? {} : { headers: { "www-authenticate": `DPoP error="${error}"` } },
  });

/** What the API remembers of the tokens that it has accepted, and what becomes of one that has ended since. */
const memories: Readonly<Record<string, readonly [lasts: (exp: number) => number, outcome: string]>> = {
  "an hour": [() => Infinity, "fooled"],
  "until the end of each": [(exp) => exp, "noticed"],
  "not at all": [() => 0, "noticed"],
};

for (const [how, [lasts, outcome]] of Object.entries(memories)) {
  // The first right token comes before, and a token and two to see its end come after the search for the leeway.
  for (const [leeway, requests] of [[0, 12], [1, 12], [5, 12], [59, 15], [300, 17], [3000, 24]] as const) {
    test(`after use: an API with a leeway of ${leeway} seconds that remembers tokens, ${how}, is ${outcome} (RFC 7519 §4.1.4)`, async () => {
      await using as = await createMock({ alg: quickAlg });
      as.clock.freeze(noon);
      const before = as.clock.now;
      const accepted = new Map<string, number>();
      const ends = new Map<string, number>();
      let [sent, again] = [0, 0];
      const { rows: [row] } = await examineApi({
        as,
        only: ["access_token.expired_after_use"],
        call(token) {
          sent++;
          const { exp = 0 } = decodeJwt(token);
          again ||= ends.get(token) ?? 0;
          ends.set(token, exp + leeway - as.clock.now);
          if (as.clock.now < (accepted.get(token) ?? 0)) return answer(true);
          const isRight = as.clock.now < exp + leeway;
          if (isRight) accepted.set(token, lasts(exp + leeway));
          return answer(isRight);
        },
      });
      assertEquals([row!.level, row!.outcome], ["must", outcome], row!.because);
      assert(sent <= requests, `${sent} requests of ${requests}`);
      // The time for which the examination waits, in seconds.
      assertEquals(again, 2);
      assertEquals([as.clock.now, as.clock.frozen], [before, true]);
    });
  }
}

const clocks: Readonly<
  Record<string, readonly [reads: (now: number) => number, outcome: string, because: string]>
> = {
  "that stands still": [
    () => Date.parse(noon) / 1000,
    "unknown",
    "The clock of the API is another one, so the token did not expire for it.",
  ],
  "that no token pleases": [
    (now) => now + 200,
    "unknown",
    "The API does not accept a token that is about to expire.",
  ],
  "that lets a token live for hours": [
    (now) => now - 7200,
    "not_applicable",
    "The API accepts a token that expired an hour ago, so nothing shows when a token ends for it.",
  ],
};

for (const [which, [reads, outcome, because]] of Object.entries(clocks)) {
  test(`after use: an API with a clock ${which} is not judged`, async () => {
    await using as = await createMock({ alg: quickAlg });
    as.clock.freeze(noon);
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.expired_after_use"],
      call: (token) => answer(reads(as.clock.now) < decodeJwt(token).exp!),
    });
    assertEquals([row!.outcome, row!.because], [outcome, because]);
  });
}

/** By how many seconds the clock of an API is moved after the search for its leeway, as by a busy machine. */
const moves = [[-8, "unknown"], [-7, "noticed"], [-1, "noticed"], [5, "noticed"], [6, "unknown"]] as const;

for (const [seconds, outcome] of moves) {
  test(`after use: an API whose clock moves by ${seconds} seconds meanwhile is ${outcome}`, async () => {
    await using as = await createMock({ alg: quickAlg });
    as.clock.freeze(noon);
    let ahead = 0;
    const { rows: [row] } = await examineApi({
      as,
      only: ["access_token.expired_after_use"],
      call(token) {
        const left = decodeJwt(token).exp! - as.clock.now - ahead;
        // The search ends with the token that has just expired.
        if (left === 0) ahead = seconds;
        return answer(left > 0);
      },
    });
    assertEquals(row!.outcome, outcome, row!.because);
  });
}

test("after use: an API that fails has not refused a token", async () => {
  await using as = await createMock({ alg: quickAlg });
  as.clock.freeze(noon);
  let isDown = false;
  const { rows: [row] } = await examineApi({
    as,
    only: ["access_token.expired_after_use"],
    call(token) {
      const left = decodeJwt(token).exp! - as.clock.now;
      // It is down when the clock has been turned, and then works again for the second token.
      const isLater = as.clock.now > Date.parse(noon) / 1000;
      isDown = isLater && !isDown;
      return isDown ? new Response(null, { status: 500 }) : answer(isLater || left > 0);
    },
  });
  assertEquals(row!.outcome, "unknown", row!.because);
});

/** What an API compares of the certificate of a request with that of the client, and which other one it takes then. */
const certificateChecks: Readonly<
  Record<string, readonly [(shown: ClientCertificate, own: ClientCertificate) => boolean, string | undefined]>
> = {
  "the subject": [({ subject }, own) => subject === own.subject, "same_subject"],
  "the thumbprint": [({ thumbprint }, own) => thumbprint === own.thumbprint, undefined],
};

for (const [what, [isEqual, variant]] of Object.entries(certificateChecks)) {
  test(`certificates: an API that compares ${what} is ${variant ? "fooled" : "right"} (RFC 8705 §3)`, async () => {
    await using as = await createMock({ alg: quickAlg, mtls: {} });
    const own = await as.certificate("app", { subject: "CN=app,O=Example" });
    const { rows: [row] } = await examineApi({
      as,
      only: ["certificate.other"],
      certificate: own,
      call: (_token, _proof, shown) => answer(shown !== undefined && isEqual(shown, own)),
    });
    const expected = variant === undefined ? "noticed" : "fooled";
    assertEquals([row!.level, row!.outcome, row!.variant], ["must", expected, variant], row!.because);
  });
}

/** An API whose memory has the token, or the token with what proves its key. */
const proving: readonly (readonly [name: MisbehaviourName, knows: "the token" | "both", outcome: string])[] =
  [
    ["proof.key_other", "the token", "fooled"],
    ["proof.key_other", "both", "noticed"],
    ["certificate.other", "the token", "fooled"],
    ["certificate.other", "both", "noticed"],
  ];

for (const [name, knows, outcome] of proving) {
  test(`after use: an API that remembers ${knows} is ${outcome} by ${name} (RFC 9449 §7.1; RFC 8705 §3)`, async () => {
    await using as = await createMock({ alg: quickAlg, mtls: {} });
    const accepted = new Set<string>();
    const isByProof = name === "proof.key_other";
    let own: string | undefined;
    const { rows: [row] } = await examineApi({
      as,
      only: [name],
      ...isByProof ? { dpop: { url } } : { certificate: await as.certificate("app") },
      call(token, proof, certificate) {
        const { jwk } = proof === undefined ? {} : decodeProtectedHeader(proof);
        const key = `${jwk?.x ?? certificate?.thumbprint}`;
        const { cnf } = decodeJwt(token);
        // The first request is right.
        own ??= JSON.stringify([key, cnf]);
        const isRight = accepted.has(knows === "both" ? token + key : token) ||
          JSON.stringify([key, cnf]) === own;
        if (isRight) accepted.add(knows === "both" ? token + key : token);
        return answer(isRight);
      },
    });
    const expected = outcome === "fooled" ? ["fooled", "after_use"] : ["noticed", undefined];
    assertEquals([row!.outcome, row!.variant], expected, row!.because);
  });
}
