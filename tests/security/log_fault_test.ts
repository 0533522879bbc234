/** The answer to a fault has the exchange's id and nothing about the cause. */

import { assert, assertEquals } from "@std/assert";
import { openDashboard } from "../../src/tools/dashboard/mod.ts";
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import { createServer, type JournalEntry, type Store } from "../../src/mod.ts";
import { createMock } from "../../src/kit/mock/mock.ts";
import { createLazyPages } from "../../src/server/pages/lazy.ts";
import { assembleServer } from "../../src/server/server.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { test } from "../runner.ts";
import { createBrowser, createWorld, inWorld, sampleKey, type WorldOptions } from "../world.ts";

/** The message of a fault, which may be in the journal but never in an answer. */
const inside = "SELECT * FROM record; /srv/postern/store.db; password=hunter2";

const leaks = [
  inside,
  "SELECT",
  "hunter2",
  "/srv/",
  "    at ",
  ".ts:",
  "node_modules",
  "TypeError",
  "undefined",
];

async function assertLeaksNothing(response: Response, because: string): Promise<void> {
  const { headers } = response;
  const sent = `${[...headers].flat().join("\n")}\n${await response.text()}`;
  const plain = sent.replaceAll("+", " ").replace(/%[0-9A-F]{2}/gi, (octet) => unescapeOctet(octet));
  for (const word of leaks) {
    assert(!sent.includes(word) && !plain.includes(word), `${because}: ${word} in ${plain}`);
  }
  assertEquals([headers.has("server"), headers.has("x-powered-by")], [false, false]);
}

function unescapeOctet(octet: string): string {
  return String.fromCharCode(parseInt(octet.slice(1), 16));
}

test("store: a fault while a password is checked leaks nothing", async () => {
  const alice = { username: "alice", password: "right" };
  const memory = memoryStore();
  const put: Store["put"] = (kind, ...rest) =>
    kind.name === "throttle" ? Promise.reject(new Error(inside)) : memory.put(kind, ...rest);
  await using world = createWorld({ store: { ...memory, put }, login: "picker", people: [alice] });
  const browser = createBrowser(world);
  const { leftFor, headers, html } = await browser.submit(await browser.open(world.authorizeUrl()), alice);
  assertEquals(new URL(leftFor!).searchParams.get("error"), "server_error");
  await assertLeaksNothing(new Response(html, { headers }), "sign-in");
});

const seams = [
  ...["arrival", "metadata", "key_set", "claims", "jwt", "signed", "authorization_response"],
  ...["token_response", "response"],
] as const;

for (const name of seams) {
  test(`seam ${name}: its error reaches the journal and no client`, async () => {
    for (const thrown of [new Error(inside), inside, undefined, { toString: () => inside }]) {
      let thrownOnce = 0;
      const options: WorldOptions = {
        seams: {
          [name]: () => {
            thrownOnce++;
            throw thrown;
          },
        },
      };
      // The code comes from another server over this store, whose seams do not throw.
      const store = memoryStore();
      await using world = createWorld({ ...options, store });
      const elsewhere = createWorld({ store });
      const code = await elsewhere.code();
      await elsewhere.close();
      const requests = [
        () => world.authorize(),
        () => world.redeem(code),
        () => world.get("/oauth2/jwks"),
        () => world.get("/.well-known/oauth-authorization-server"),
        () => world.get("/"),
        () => world.get("/nowhere"),
      ];
      for (const ask of requests) {
        const before = thrownOnce;
        const response = await ask();
        if (thrownOnce === before) continue;
        const entry = world.journal.at(-1)!;
        assertEquals(
          [response.status, entry.facts.refusal?.error],
          [500, "server_error"],
          entry.request.path,
        );
        await assertLeaksNothing(response.clone(), entry.request.path);
        assert((await response.text()).includes(entry.id));
      }
      assert(thrownOnce > 0, "the seam never ran");
    }
  });
}

const failingJournals: Readonly<Record<string, () => void>> = {
  throws: () => {
    throw new Error(inside);
  },
  rejects: () => Promise.reject(new Error(inside)),
};

for (const [fails, journal] of Object.entries(failingJournals)) {
  test(`faults: a journal that ${fails} stops no answer and no process, and leaks nothing`, async () => {
    const world = createWorld({ journal });
    await using mock = await createMock({ alg: "ES256", journal });
    const api = mock.resource("https://api.test");
    const watched = createServer({ issuer: "https://watched.test", alg: "ES256", journal });
    await openDashboard(watched);
    try {
      for (const path of ["/", "/oauth2/jwks", "/nowhere"]) {
        await assertLeaksNothing(await world.get(path), path);
        await assertLeaksNothing(await mock.fetch(new URL(path, mock.issuer)), path);
        await assertLeaksNothing(await api.fetch(new URL(path, api.url)), path);
        await assertLeaksNothing(await watched.fetch(new Request(new URL(path, watched.issuer))), path);
      }
      // A rejection without a handler is reported after the current turn.
      await new Promise((resolve) => setTimeout(resolve));
    } finally {
      await world.close();
      await watched.close();
    }
  });
}

test("a broken signing key: token requests fail without a leak, and the code stays redeemable", async () => {
  const store = memoryStore();
  const key = { ...sampleKey };
  const broken = createWorld({ store, signingKeys: [key] });
  // The start checks the key, so the test breaks it between that check and its import.
  key.d = "AAAA";
  const code = await broken.code();
  for (const response of [await broken.redeem(code), await broken.get("/oauth2/jwks")]) {
    assertEquals(response.status, 500);
    await assertLeaksNothing(response, "broken key");
  }
  await broken.close();
  await inWorld({ store }, async (mended) => assertEquals((await mended.redeem(code)).status, 200));
});

test("faults: a closed server answers 503 and leaks nothing", async () => {
  const world = createWorld();
  await world.close();
  for (const ask of [() => world.get("/"), () => world.authorize(), () => world.redeem("x")]) {
    const response = await ask();
    assertEquals(response.status, 503);
    await assertLeaksNothing(response, "closed");
  }
});

test("pages: when even the error page fails, the server answers with JSON and the journal has the fault", async () => {
  const entries: JournalEntry[] = [];
  const broken = () => Promise.reject(new Error(inside));
  const { server } = assembleServer({ issuer: "https://as.test", journal: (entry) => entries.push(entry) }, {
    features: defaultFeatures(everyFeature),
    createPages: (terms) => ({ ...createLazyPages(terms), home: broken, refusal: broken }),
  });
  for (const path of ["/", "/oauth2/authorize"]) {
    const response = await server.fetch(new Request(`https://as.test${path}`));
    await assertLeaksNothing(response.clone(), path);
    assertEquals([response.status, (await response.json()).error], [500, "server_error"], path);
    assertEquals((entries.at(-1)?.facts.fault as Error).message, inside);
  }
  await server.close();
});
