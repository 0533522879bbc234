/** A token response that is compressed often: a client that reads one coding only says nothing about a limit (CVE-2026-22036). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { request } from "node:http";
import { createMock, examine, type Mock } from "../../../src/kit/mod.ts";
import { authorizeUrl, requestToken, tokenForm } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { createClient } from "./clients/client.ts";
import { naive, quickAlg } from "./clients/habits.ts";

/** Examines a client that refuses a response with more codings. */
async function examineWith(mostCodings: number) {
  const { rows: [row] } = await examine({
    client: async (as, scenario) =>
      await createClient(naive)({
        ...as,
        fetch: async (...request) => {
          const response = await as.fetch(...request);
          const codings = response.headers.get("content-encoding")?.split(",") ?? [];
          if (codings.length > mostCodings) throw new Error("too many codings");
          return response;
        },
      }, scenario),
    only: ["transport.compressed_chain"],
    options: { alg: quickAlg },
    within: 60,
  });
  return row!;
}

test("transport.compressed_chain: a client that limits the codings notices it, and one without a limit is fooled (RFC 9110 §8.4)", async () => {
  assertEquals((await examineWith(5)).outcome, "noticed");
  assertEquals((await examineWith(99)).outcome, "noticed");
  assertEquals((await examineWith(100)).outcome, "fooled");
});

test("transport.compressed_chain: a client that also refuses two codings shows no limit", async () => {
  for (const most of [0, 1]) {
    const { outcome, because } = await examineWith(most);
    assertEquals(outcome, "unknown");
    assertStringIncludes(because, "The client also failed with a right answer");
  }
  assertEquals((await examineWith(2)).outcome, "noticed");
});

/** Returns what is wrong with the answer to the last token request, after `send` has sent some. */
async function findAltered(send: (as: Mock, code: string, startFault: () => void) => Promise<unknown>) {
  await using as = await createMock({ alg: quickAlg });
  await using _port = await as.listen();
  const back = await as.authorize(authorizeUrl(as.issuer, { scope: "openid offline_access" }));
  await send(as, back.searchParams.get("code")!, () => as.misbehave("transport.compressed_chain"));
  const { status, altered = [] } = as.requests.token.at(-1)!;
  return [status, ...altered.map(({ seam }) => seam)];
}

test("transport.compressed_chain: only a response with a code is wrong, and only for a client that decodes it", async () => {
  const redeem = (as: Mock, code: string) => requestToken(as, { code });
  assertEquals(
    await findAltered(async (as, code, startFault) => {
      startFault();
      await redeem(as, code);
    }),
    [200, "token_response", "response"],
  );
  const refreshed = findAltered(async (as, code, startFault) => {
    const { refresh_token = "" } = await (await redeem(as, code)).json();
    startFault();
    const form = { grant_type: "refresh_token", refresh_token, client_id: "app" };
    await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) });
  });
  assertEquals(await refreshed, [200]);
  const plain = findAltered(async (as, code, startFault) => {
    startFault();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await new Promise((resolve) =>
      request(
        `${as.issuer}/oauth2/token`,
        { method: "POST", headers },
        (answer) => answer.resume().on("end", resolve),
      )
        .end(`${tokenForm({ code })}`)
    );
  });
  assertEquals(await plain, [200]);
});

test("transport.compressed_bomb and huge_body: as many spaces follow the token response as they say", async () => {
  await using as = await createMock({ alg: quickAlg });
  for (const [name, megabytes] of [["transport.compressed_bomb", 16], ["transport.huge_body", 4]] as const) {
    using _wrong = as.misbehave(name);
    const back = await as.authorize(authorizeUrl(as.issuer));
    const text = await (await requestToken(as, { code: back.searchParams.get("code")! })).text();
    assertEquals([name, text.length - text.trimEnd().length], [name, megabytes * 2 ** 20]);
  }
});
