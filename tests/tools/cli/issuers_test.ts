/** How long issuers live that requests have begun, without the test kit and with it. */

import { assert, assertEquals } from "@std/assert";
import { createIssuers } from "../../../src/tools/cli/start/issuers.ts";
import { type Answer, fromRequest, toResponse } from "../../../src/ground/http/message.ts";
import { createPlainRequest } from "../../../src/kit/mock/client/plain_request.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { testKeysFor } from "../../../src/kit/mock/server/test_keys.ts";
import { pathProfiles } from "../../../src/server/oauth/contracts/paths.ts";
import { createBegunIssuers, noteRecords } from "../../../src/kit/mock/begun_issuers.ts";
import { createPlainServer, type PlainServer } from "../../../src/server/server.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { partOfStore } from "../../../src/server/store/store.ts";
import { test } from "../../runner.ts";
import { createBrowser, type World } from "../../world.ts";

const origin = "http://localhost:8080";
const options = {
  issuer: `${origin}/default`,
  paths: "navikt",
  alg: "ES256",
  clients: [{ client_id: "app", redirect_uris: ["http://127.0.0.1/callback"] }],
  people: [{ username: "alice" }],
} as const;

interface Issuers extends Pick<PlainServer, "answer" | "close"> {
  /** The issuers that run, except for the first one. */
  names(): readonly string[];
}

type OpenIssuers = (now: () => number) => Promise<Issuers>;

const kinds: Readonly<Record<"start" | "mock", OpenIssuers>> = {
  start(now) {
    const store = memoryStore();
    const running = new Set<string>();
    const issuers = createIssuers({
      issuer: options.issuer,
      also: [],
      profile: pathProfiles.navikt,
      begun: createBegunIssuers(now),
      demoResource: undefined,
      onEnd: () => {},
      create(issuer, name, noteRecord) {
        if (name !== "default") running.add(name);
        const server = createPlainServer({
          ...{ ...options, issuer, signingKeys: testKeysFor(["ES256"]) },
          store: noteRecords(partOfStore(store, name), noteRecord),
        });
        return { ...server, close: () => (running.delete(name), server.close()) };
      },
    });
    return Promise.resolve({ ...issuers, names: () => [...running] });
  },
  async mock(now) {
    const { mock } = await createStartedMock(options, { now });
    return { answer: mock.answer, close: mock.close, names: () => mock.tenants };
  },
};

interface OpenedIssuers extends Issuers {
  open(path: string): Promise<Answer>;
  /** Begins issuers by requests for their keys, and resolves to the statuses. */
  begin(prefix: string, count: number): Promise<readonly number[]>;
  fetch(request: Request): Promise<Response>;
  turn(seconds: number): void;
}

for (const [kind, openIssuers] of Object.entries(kinds)) {
  const withIssuers = (name: string, work: (issuers: OpenedIssuers) => Promise<void>) =>
    test(`issuers of ${kind}: ${name}`, async () => {
      let time = 1_800_000_000;
      const issuers = await openIssuers(() => time);
      const open: OpenedIssuers["open"] = (path) =>
        issuers.answer(createPlainRequest({ url: origin + path }));
      await work({
        ...issuers,
        open,
        async begin(prefix, count) {
          const statuses: number[] = [];
          for (let number = 1; number <= count; number++) {
            statuses.push((await open(`/${prefix}-${number}/jwks`)).status);
          }
          return statuses;
        },
        fetch: async (request) => toResponse(await issuers.answer(fromRequest(request, "127.0.0.1"))),
        turn: (seconds) => void (time += seconds),
      });
      await issuers.close();
    });

  withIssuers("requests begin 100 at most, and the next one is refused", async ({ open, begin, names }) => {
    assertEquals(new Set(await begin("name", 100)), new Set([200]));
    const { status, headers, body } = await open("/next/jwks");
    assertEquals([status, headers["retry-after"]], [503, "600"]);
    const { error, error_description: description } = JSON.parse(`${body}`);
    assertEquals([error, names().length], ["temporarily_unavailable", 100]);
    assert(description.includes("as many issuers as requests can create: 100"), description);
    assertEquals([(await open("/name-100/jwks")).status, (await open("/default/jwks")).status], [200, 200]);
  });

  withIssuers("those without records end after an hour", async ({ open, begin, names, turn, fetch }) => {
    await signIn("used", fetch);
    await begin("unused", 9);
    turn(3599);
    await open("/later/jwks");
    assertEquals(names().length, 11);
    turn(1);
    await open("/latest/jwks");
    assertEquals(names(), ["used", "later", "latest"]);
  });

  withIssuers(
    "a page that was open when one ended works as soon as it has begun again",
    async ({ open, names, turn, fetch }) => {
      const browser = browse("name", fetch);
      const page = await browser.open(authorizeUrl("name"));
      turn(3600);
      await open("/other/jwks");
      assertEquals(names(), ["other"]);
      await open("/name/jwks");
      assertEquals((await browser.submit(page, { person: "alice" })).status, 200);
    },
  );

  withIssuers("one stays as long as its records, and not longer", async ({ open, names, turn, fetch }) => {
    const wrong = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: "x",
      client_secret: "y",
    });
    // The failures of a client are counted for minutes. A person stays signed in for hours.
    await fetch(new Request(`${origin}/guessed/token`, { method: "POST", body: wrong }));
    await signIn("used", fetch);
    turn(3600);
    await open("/later/jwks");
    assertEquals(names(), ["used", "later"]);
    turn(9 * 3600);
    await open("/latest/jwks");
    assertEquals(names(), ["latest"]);
  });
}

test("issuers of start: one that begins again while it ends is not forgotten, and the end of all waits for each", async () => {
  let time = 0;
  const forgotten: string[] = [];
  const closings: Record<string, () => void> = {};
  const issuers = createIssuers({
    issuer: options.issuer,
    also: [],
    profile: pathProfiles.navikt,
    begun: createBegunIssuers(() => time),
    demoResource: undefined,
    onEnd: (issuer) => forgotten.push(issuer),
    create: (issuer, name) => ({
      answer: () => Promise.resolve({ status: 200, headers: {}, body: issuer }),
      close: () => new Promise((resolve) => void (closings[name] = resolve)),
    }),
  });
  const open = async (path: string, at = origin) =>
    (await issuers.answer(createPlainRequest({ url: at + path }))).body;
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  for (const name of ["a", "b"]) assertEquals(await open(`/${name}/jwks`), `${origin}/${name}`);
  time = 3600;
  for (const name of ["c", "a"]) await open(`/${name}/jwks`);
  for (const name of ["a", "b"]) closings[name]!();
  await turn();
  assertEquals(forgotten, [`${origin}/b`]);
  // A name of another host begins none.
  assertEquals(await open("/d/jwks", "http://evil.test:8080"), options.issuer);
  time = 7200;
  await open("/d/jwks");
  let isClosed = false;
  const closed = issuers.close().then(() => isClosed = true);
  for (const name of ["default", "d", "c"]) closings[name]!();
  await turn();
  assertEquals(isClosed, false);
  closings["a"]!();
  assertEquals(await closed, true);
});

function authorizeUrl(name: string): string {
  return `${origin}/${name}/authorize?${new URLSearchParams({
    ...{ response_type: "code", client_id: "app", redirect_uri: "http://127.0.0.1/callback" },
    ...{ code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" },
  })}`;
}

function browse(name: string, fetch: OpenedIssuers["fetch"]): ReturnType<typeof createBrowser> {
  return createBrowser({ issuer: `${origin}/${name}`, fetch } as World);
}

/** Lets a person sign in at an issuer, which has a record of it for hours. */
async function signIn(name: string, fetch: OpenedIssuers["fetch"]): Promise<void> {
  const browser = browse(name, fetch);
  await browser.submit(await browser.open(authorizeUrl(name)), { person: "alice" });
}
