/** Rehearsals: the server answers a request as it would, and nothing changes. */

import { assertEquals, assertMatch } from "@std/assert";
import { fromRequest } from "../../../src/ground/http/message.ts";
import type { ServerOptions } from "../../../src/mod.ts";
import { createRehearsal } from "../../../src/server/rehearse.ts";
import { createAssembledServer } from "../../../src/server/server.ts";
import type { Exchange } from "../../../src/server/oauth/contracts/exchange.ts";
import { createUsedProofs } from "../../../src/server/features/dpop/used_proofs.ts";
import { overlayStore } from "../../../src/server/store/overlay.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import {
  authorizationParams,
  basic,
  callbackParams,
  encodeForm,
  type Params,
  redirectUri,
  verifier,
  worldDefaults,
} from "../../world.ts";
import { test } from "../../runner.ts";

function open(options: ServerOptions = {}) {
  const store = memoryStore();
  const entries: unknown[] = [];
  const { server, services } = createAssembledServer({
    ...worldDefaults,
    store,
    journal: (entry) => entries.push(entry),
    ...options,
  });
  const rehearse = createRehearsal();
  const get = (params: Params) =>
    new Request(`https://as.test/oauth2/authorize?${encodeForm(authorizationParams(params))}`);
  const post = (path: string, form: Params, headers: Record<string, string> = {}) =>
    new Request(`https://as.test${path}`, {
      method: "POST",
      body: encodeForm(form),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  return {
    ...{ server, store, entries, get, post },
    rehearse: async (request: Request) => await rehearse(fromRequest(request, "127.0.0.1"), services),
    async countRecords() {
      let records = 0;
      for await (const kind of store.kinds!()) {
        for await (const _entry of store.list!({ name: kind })) records++;
      }
      return records;
    },
  };
}

test("rehearsal: an approved authorization request stores no grant, session or journal entry", async () => {
  const { server, rehearse, get, countRecords, entries } = open({
    people: [{ username: "alice", password: "wonderland" }],
    login: "auto",
  });
  // The server stores its keys when it starts.
  await server.fetch(new Request("https://as.test/oauth2/jwks"));
  entries.length = 0;
  const before = await countRecords();
  const { status, facts } = await rehearse(get({}));
  assertEquals([status, facts.refusal], [303, undefined]);
  assertEquals([await countRecords(), entries.length], [before, 0]);
});

test("rehearsal: a code is not used up", async () => {
  const { server, rehearse, get, post } = open();
  const code = callbackParams(await server.fetch(get({}))).get("code")!;
  const redeem = () =>
    post("/oauth2/token", {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      client_id: "public",
      code_verifier: verifier,
    });
  for (let time = 0; time < 2; time++) {
    const { status, facts } = await rehearse(redeem());
    assertEquals([status, facts.refusal], [200, undefined]);
  }
  assertEquals((await server.fetch(redeem())).status, 200);
  const { facts } = await rehearse(redeem());
  assertEquals(facts.refusal?.reason, "code_replayed");
});

test("rehearsal: hooks and misbehaviours have no effect", async () => {
  let calls = 0;
  const { rehearse, get } = open({
    seams: {
      arrival: (value) => (calls++, value),
      authorization_response: (value) => (calls++, value),
      response: (value) => (calls++, value),
    },
  });
  await rehearse(get({}));
  assertEquals(calls, 0);
});

test("rehearsal: a seeded server draws the same random octets as without the rehearsal", async () => {
  let draws = 0;
  const { rehearse, get } = open({
    random(length) {
      draws++;
      return crypto.getRandomValues(new Uint8Array(length));
    },
  });
  await rehearse(get({}));
  const before = draws;
  await rehearse(get({}));
  assertEquals(draws, before);
});

test("rehearsal: wrong secrets do not lock the client out, and rehearsals are no better for guessing", async () => {
  const { server, rehearse, post } = open();
  const form = { grant_type: "client_credentials" };
  const right = () => post("/oauth2/token", form, basic("basic", "basic secret: a+b%c"));
  const reasons = [];
  for (let guess = 0; guess < 25; guess++) {
    const { facts } = await rehearse(post("/oauth2/token", form, basic("basic", `guess ${guess}`)));
    reasons.push(facts.refusal?.reason);
  }
  assertEquals(new Set(reasons).has("too_many_failures"), true);
  assertEquals((await rehearse(right())).facts.refusal?.reason, "too_many_failures");
  assertEquals((await server.fetch(right())).status, 200);
});

test("rehearsal: calls no other server, and says which one the server would call", async () => {
  const { rehearse, get } = open({ clientDocuments: true });
  const { facts, calls } = await rehearse(get({ client_id: "https://app.example/client.json" }));
  assertEquals(calls, ["https://app.example/client.json"]);
  assertMatch(facts.refusal?.received ?? "", /rehearsal/);
});

test("rehearsal: pushed requests are stored nowhere and count against no limit", async () => {
  const { server, rehearse, post } = open();
  for (let push = 0; push < 1300; push++) {
    const { status } = await rehearse(post("/oauth2/par", authorizationParams()));
    if (push === 0 || push === 1299) assertEquals(status, 201);
  }
  assertEquals(
    (await server.fetch(post("/oauth2/par", authorizationParams()), { peer: "127.0.0.1" })).status,
    201,
  );
});

test("rehearsal: a proof is not used up, and does not count against the number of proofs", async () => {
  const { services } = createAssembledServer(worldDefaults);
  const use = createUsedProofs(1);
  const exchange = { request: fromRequest(new Request("https://as.test/"), undefined) } as Exchange;
  const proof = (id: string) => ({ id, thumbprint: "t", nonce: undefined, expiresAt: services.now() + 60 });
  for (const id of ["a", "b", "a"]) {
    const rehearsed = { ...services, store: overlayStore(services.store) };
    assertEquals(await use(proof(id), exchange, rehearsed), undefined);
  }
  assertEquals(await use(proof("a"), exchange, services), undefined);
  assertEquals((await use(proof("b"), exchange, services))?.details.reason, "too_many_dpop_proofs");
});
