/** The refusal of an unknown client: what it names, and that its configuration makes the same request work. */

import { assertEquals } from "@std/assert";
import { assertCode, assertRefusedOnPage } from "../oauth/refusals.ts";
import { findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { type Params, withoutClients, type World } from "../../world.ts";

const configured = "a configured client";
const firstUse = `${configured}, or a first-use client: any client_id that a person approves with a ` +
  "redirect_uri on this machine (http or https on localhost, *.localhost, 127.0.0.1 or [::1]) or of an app " +
  "(com.example.app:/…)";
const unknown = "This client is not known here";
const notAtFirstUse = `${unknown}, and first use does not accept its redirect URI`;

/** Refuses the request on a page and returns the page's facts, which are also those of the journal. */
async function refusalOf(world: World, changed: Params): Promise<Record<string, string | undefined>> {
  const html = await assertRefusedOnPage(world, await world.authorize(changed), {
    error: "invalid_request",
    reason: "client_unknown",
  });
  const page = readHtml(html);
  const facts = Object.fromEntries(
    ["description", "expected", "received", "remedy"].map((id) => {
      const element = findById(page, id);
      return [id, element && textOf(element)];
    }),
  );
  const { description, expected, received, remedy } = world.lastRefusal()!;
  assertEquals(facts, { description, expected, received, remedy });
  return facts;
}

// Each row: a redirect URI that first use does not accept, and what its client needs besides redirect_uris.
const configurable: readonly (readonly [uri: string, needed: Readonly<Record<string, unknown>>])[] = [
  ["https://app.company.com/cb", {}],
  ["http://192.168.1.5/cb", { allow_private_http: true }],
  ["com.example.app:cb", {}],
];

for (const [redirect_uri, needed] of configurable) {
  test(`unknown client: with ${redirect_uri}, the refusal has the configuration that allows the request`, () =>
    withoutClients({}, async (world) => {
      const request = { client_id: "my-app", redirect_uri };
      const { remedy = "", ...facts } = await refusalOf(world, request);
      assertEquals(facts, {
        description: notAtFirstUse,
        expected: firstUse,
        received: `client_id my-app, redirect_uri ${redirect_uri}`,
      });
      assertEquals(JSON.parse(remedy), {
        firstUse: true,
        clients: [{ client_id: "my-app", redirect_uris: [redirect_uri], ...needed }],
      });
      await withoutClients(JSON.parse(remedy), async (world) => {
        assertCode(await world.authorize(request));
        // Other clients still need no configuration.
        assertCode(await world.authorize({ client_id: "other", redirect_uri: "http://localhost:3000/cb" }));
      });
    }));
}

// Each row: a redirect URI that no client can have, and why.
const impossible: readonly (readonly [uri: string, because: string])[] = [
  [
    "http://app.company.com/cb",
    "must be https: http is for this machine, private addresses and local names only",
  ],
  ["app.localhost:3000/cb", "must begin with http:// or https://"],
];

for (const [redirect_uri, because] of impossible) {
  test(`unknown client: with ${redirect_uri}, the refusal says why no client can have it`, () =>
    withoutClients({}, async (world) => {
      assertEquals(await refusalOf(world, { client_id: "my-app", redirect_uri }), {
        description: notAtFirstUse,
        expected: `the redirect_uri ${because}`,
        received: `client_id my-app, redirect_uri ${redirect_uri}`,
        remedy: undefined,
      });
    }));
}

test("unknown client: a request without redirect_uri has no configuration to suggest", () =>
  withoutClients({}, async (world) => {
    assertEquals(await refusalOf(world, { client_id: "my-app", redirect_uri: undefined }), {
      description: unknown,
      expected: firstUse,
      received: "client_id my-app, and no redirect_uri",
      remedy: undefined,
    });
  }));

test("unknown client: an id that no client can have is named as the cause", () =>
  withoutClients({ people: [{ username: "alice", sub: "subject-of-alice" }] }, async (world) => {
    const rows = [
      ["café", "a client_id of up to 1000 characters of printable ASCII, and not blank, . or .."],
      [" ", "a client_id of up to 1000 characters of printable ASCII, and not blank, . or .."],
      ["a".repeat(1001), "a client_id of up to 1000 characters of printable ASCII, and not blank, . or .."],
      ["subject-of-alice", "a client_id that is not the sub of a person"],
    ] as const;
    for (const [client_id, because] of rows) {
      const redirect_uri = "http://localhost:3000/cb";
      const { expected, remedy } = await refusalOf(world, { client_id, redirect_uri });
      assertEquals([expected, remedy], [because, undefined]);
    }
  }));

const clients = [{ client_id: "shop-frontend", redirect_uris: ["http://localhost:3000/cb"] }];
const wouldAccept =
  "First use is off: firstUse: true in the configuration accepts any client_id with this redirect_uri";

const withoutFirstUse = [
  ["http://localhost:3000/cb", wouldAccept],
  ["com.example.app:/cb", wouldAccept],
  ["https://app.company.com/cb", "First use is off, and would not accept this redirect_uri"],
] as const;

for (const [redirect_uri, because] of withoutFirstUse) {
  test(`unknown client: with first use off and ${redirect_uri}, the refusal says so, and how to allow the request`, () =>
    withoutClients({ clients }, async (world) => {
      const request = { client_id: "my-app", redirect_uri };
      const { remedy = "", ...facts } = await refusalOf(world, request);
      assertEquals(facts, {
        description: unknown,
        expected: `${configured}. ${because}`,
        received: `client_id my-app, redirect_uri ${redirect_uri}`,
      });
      assertEquals(JSON.parse(remedy), {
        clients: [{ client_id: "my-app", redirect_uris: [redirect_uri] }],
      });
      await withoutClients({ clients: [...clients, ...JSON.parse(remedy).clients] }, async (world) => {
        assertCode(await world.authorize(request));
      });
      if (because !== wouldAccept) return;
      await withoutClients({ clients, firstUse: true }, async (world) => {
        assertCode(await world.authorize(request));
      });
    }));
}

test("unknown client: if other machines can reach the server, the page says nothing of its configuration", () =>
  withoutClients(
    { clients, issuer: "https://as.company.com", people: [{ username: "alice" }] },
    async (world) => {
      const redirect_uri = "http://localhost:3000/cb";
      const { expected } = await refusalOf(world, { client_id: "shop-fronted", redirect_uri });
      assertEquals(expected, configured);
    },
  ));

test("unknown client: if other machines can reach the server, the page does not tell which usernames exist", () =>
  withoutClients(
    { clients, issuer: "https://as.company.com", people: [{ username: "alice" }] },
    async (world) => {
      const pages = await Promise.all(["alice", "nobody"].map(async (id) => {
        const response = await world.authorize({ client_id: id, redirect_uri: "https://app.company.com/cb" });
        return (await response.text()).replaceAll(id, "the id");
      }));
      assertEquals(pages[0], pages[1]);
    },
  ));

test("unknown client: a secret that is sent as the client_id is hidden in the journal, and the page does not confirm it", () => {
  const secret = "the-secret-of-shop";
  const shop = { client_id: "shop", client_secret: secret, redirect_uris: ["http://localhost:3000/cb"] };
  return withoutClients({ clients: [shop], firstUse: true }, async (world) => {
    const variants = [
      [
        "/oauth2/authorize?redirect_uri=https://app.company.com/cb&client_id=",
        ", redirect_uri https://app.company.com/cb",
      ],
      ["/oauth2/authorize?client_id=", ", and no redirect_uri"],
      ["/connect/logout?client_id=", undefined],
    ] as const;
    for (const [path, journalled] of variants) {
      const [forSecret, forGuess] = await Promise.all(
        [secret, "another-guess-here"].map(async (id) =>
          (await (await world.get(path + id)).text()).replaceAll(id, "the id")
        ),
      );
      assertEquals(forSecret, forGuess);
      await world.get(path + secret);
      const { facts } = world.journal.at(-1)!;
      assertEquals(JSON.stringify(facts).includes(secret), false);
      const received = journalled === undefined ? "[redacted]" : `client_id [redacted]${journalled}`;
      assertEquals([facts.clientId, facts.refusal?.received], ["[redacted]", received]);
      assertEquals(facts.refusal?.remedy, undefined);
    }
  });
});

test("unknown client: a secret in the client_id is hidden in the journal, also at first use and beside the id", () => {
  const secret = "the-secret-of-shop";
  const shop = { client_id: "shop", client_secret: secret, redirect_uris: ["http://localhost:3000/cb"] };
  return withoutClients({ clients: [shop], firstUse: true, login: "picker" }, async (world) => {
    for (const client_id of [secret, `shop:${secret}`, `${secret} `]) {
      await world.authorize({ client_id, redirect_uri: "http://localhost:4000/cb" });
      const { facts } = world.journal.at(-1)!;
      assertEquals([facts.clientId, JSON.stringify(facts).includes(secret)], ["[redacted]", false]);
    }
  });
});
