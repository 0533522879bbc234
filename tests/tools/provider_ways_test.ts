/** Every look-alike on each way on which a request comes: what is answered, what passes, and when. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import https from "node:https";
import { getResponse, http } from "msw";
import { request as sendByUndici } from "undici";
import { parseAddress } from "../../src/ground/http/address.ts";
import { FetchedRequest, toResponse } from "../../src/ground/http/message.ts";
import { listOrigins } from "../../src/kit/faults/look_alikes/provider_hosts.ts";
import { type LookAlikeName, lookAlikeNames } from "../../src/kit/faults/look_alikes/providers.ts";
import { createStartedMock } from "../../src/kit/mock/started_mock.ts";
import type { Tenant } from "../../src/kit/mod.ts";
import { mockHandlers } from "../../src/tools/browser/msw.ts";
import { createProxiedAnswer } from "../../src/tools/cli/proxy/answer_proxied.ts";
import { isLed, listKnown } from "../kit/mock/misbehaving/known_addresses.ts";
import { test } from "../runner.ts";

type Started = Awaited<ReturnType<typeof createStartedMock>>;

/** Resolves to `undefined` for a request that is not for the mock. */
type Send = (url: string) => Promise<Response | undefined>;

type Way = (started: Started) => { readonly send: Send; readonly end?: () => void };

const passed = new Response("from the network");

/** The ways that are for programs. `tests/browser/` has those of a page: its worker and `as.window()`. */
const ways: Readonly<Record<string, Way>> = {
  "as.fetch": ({ mock }) => ({ send: (url) => mock.fetch(url).catch(onRefusal) }),
  "as.dispatcher": ({ mock }) => ({
    async send(url) {
      const sent = await sendByUndici(url, { dispatcher: mock.dispatcher as never }).catch(onRefusal);
      return sent && new Response(await sent.body.text(), { status: sent.statusCode });
    },
  }),
  intercept: ({ mock }) => {
    const { fetch } = globalThis;
    globalThis.fetch = () => Promise.resolve(passed);
    const interception = mock.intercept();
    return {
      async send(url) {
        const response = await globalThis.fetch(url);
        return response === passed ? undefined : response;
      },
      end() {
        interception[Symbol.dispose]();
        globalThis.fetch = fetch;
      },
    };
  },
  "intercept, node:https": ({ mock }) => {
    const interception = mock.intercept({ node: true, onUnhandled: "error" });
    return { send: (url) => sendByNode(url).catch(onRefusal), end: () => interception[Symbol.dispose]() };
  },
  MSW: ({ mock }) => ({ send: (url) => getResponse(mockHandlers(mock, http), new Request(url)) }),
  proxy: (started) => {
    const all = lookAlikeNames.flatMap((name) => listOrigins(name));
    const answer = createProxiedAnswer(started, { origins: all, added: [] });
    return {
      async send(url) {
        const asked = new FetchedRequest(new Request(url), parseAddress(url)!, true, () => "127.0.0.1");
        const response = toResponse(await answer(asked));
        if (response.status !== 421) return response;
        assertMatch(
          await response.text(),
          /its connection is for |is off: switch it on by POST \/look_alikes/,
        );
        return undefined;
      },
    };
  },
};

function onRefusal(error: Error): undefined {
  assertMatch(error.message, /answers for .+ only/);
}

function sendByNode(url: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    https.get(url, { agent: new https.Agent() }, async (response) => {
      const parts = await Array.fromAsync(response);
      resolve(new Response(Buffer.concat(parts as Buffer[]), { status: response.statusCode! }));
    }).on("error", reject);
  });
}

const elsewhere = ["https://api.example/orders", "https://as.test.example/", "https://sub.github.com/"];

async function ask(send: Send, url: string) {
  const response = await send(url);
  return response && { status: response.status, text: await response.text() };
}

async function requireOn(like: LookAlikeName, send: Send, as: Tenant): Promise<void> {
  for (const url of listKnown(like)) {
    const answer = await ask(send, url);
    assert(answer !== undefined && answer.status !== 501, `${url}: ${answer?.status}`);
    // Another host of a page only leads to it, which the journal does not have.
    if (!isLed(like, url)) assertEquals(as.requests.last?.api, url);
    const unknown = await ask(send, `${new URL(url).origin}/no/such`);
    assertEquals(unknown?.status, 501, url);
    assertMatch(unknown!.text, /nearest ones are https:.+ The page Look-alikes .+ by as\.route\(\)/);
  }
}

async function requireOff(urls: readonly string[], send: Send): Promise<void> {
  for (const url of urls) assertEquals([url, await ask(send, url)], [url, undefined]);
}

for (const [name, open] of Object.entries(ways)) {
  test(`provider ways: ${name} answers at the hosts of each look-alike while it is on, and passes all others`, async () => {
    const started = await createStartedMock({ alg: "ES256" });
    const { mock: as } = started;
    const { send, end } = open(started);
    try {
      for (const like of lookAlikeNames) {
        await requireOff(listKnown(like), send);
        const looking = as.lookLike(like);
        await requireOn(like, send, as);
        await requireOff(elsewhere, send);
        looking[Symbol.dispose]();
        await requireOff(listKnown(like), send);
      }
    } finally {
      end?.();
      await as.close();
    }
  });

  test(`provider ways: ${name} follows two look-alikes at once, one of a tenant, and a reset`, async () => {
    const started = await createStartedMock({ alg: "ES256" });
    const { mock: as } = started;
    const { send, end } = open(started);
    try {
      as.lookLike("github", { client: "shop" });
      as.lookLike("google", { client: "other" });
      const acme = as.tenant("acme");
      acme.lookLike("slack");
      await requireOn("github", send, as);
      await requireOn("google", send, as);
      await requireOn("slack", send, acme);
      await acme.close();
      await requireOff(listKnown("slack"), send);
      await requireOn("google", send, as);
      as.reset();
      await requireOff(listKnown("github"), send);
      await requireOff(listKnown("google"), send);
    } finally {
      end?.();
      await as.close();
    }
  });
}
