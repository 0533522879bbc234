/** People whom a server in several processes creates at the first use of a JWT about them (RFC 7523 §3). */

import { assertEquals } from "@std/assert";
import { fromRequest } from "../../../src/ground/http/message.ts";
import { createServer, memoryStore, type Store } from "../../../src/mod.ts";
import { createRehearsal } from "../../../src/server/rehearse.ts";
import { createAssembledServer } from "../../../src/server/server.ts";
import { assertCannotCreate, assertTokens } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { createSignal } from "../../signal.ts";
import { worldDefaults } from "../../world.ts";
import { asAgent, carol, creating, forPeople, grantClients, jwtBearer, personJwt } from "./jwt_grants.ts";

test("new people: a server that cannot add people does not start, and says which ones can", async () => {
  await assertCannotCreate(
    () => createServer({ issuer: "https://as.test", exposeDemo: true, trust: [forPeople, creating] }),
    "trust[1].person.create needs the test kit or the command start, which can add people",
  );
});

/** A server as that of `postern start`, and a request with a JWT about carol. */
function openServer(store: Store = memoryStore()) {
  const bob = { username: "bob", password: "secret" };
  const { server, services } = createAssembledServer(
    { ...worldDefaults, login: "picker", store, people: [bob], trust: [creating], clients: grantClients },
    { growingPeople: "in memory" },
  );
  return {
    server,
    services,
    async createRequest(changed: object = {}) {
      const clock = { now: Math.floor(Date.now() / 1000) };
      const place = { issuer: server.issuer, clock } as Parameters<typeof personJwt>[0];
      const assertion = await personJwt(place, { claims: { ...carol, ...changed } });
      const body = new URLSearchParams({ grant_type: jwtBearer, assertion, scope: "openid" });
      return new Request(`${server.issuer}/oauth2/token`, { method: "POST", body, headers: asAgent });
    },
    async getToken() {
      return `${(await assertTokens(await server.fetch(await this.createRequest())))["access_token"]}`;
    },
    async statusWith(token: string) {
      const headers = { authorization: `Bearer ${token}` };
      return (await server.fetch(new Request(`${server.issuer}/userinfo`, { headers }))).status;
    },
  };
}

test("new people: their tokens are valid at another process on the store that has created them, too", async () => {
  const store = memoryStore();
  const [first, second] = [openServer(store), openServer(store)];
  const token = await first.getToken();
  assertEquals([await first.statusWith(token), await second.statusWith(token)], [200, 401]);
  await second.getToken();
  assertEquals([await first.statusWith(token), await second.statusWith(token)], [200, 200]);
});

test("new people: a rehearsal of the request creates nobody", async () => {
  const { createRequest, services } = openServer();
  const { status, facts } = await createRehearsal()(
    fromRequest(await createRequest(), "127.0.0.1"),
    services,
  );
  assertEquals([status, facts.subjectIsNew], [200, true]);
  assertEquals(services.settings.people.find("carol"), undefined);
});

/** A store at which two requests meet, when each has planned its person and looks whether its JWT was used. */
function meetingStore(): Store {
  const store = memoryStore();
  const met = createSignal();
  let arrived = 0;
  return {
    ...store,
    async get(kind, id, now) {
      if (kind.name === "grant" && ++arrived === 2) met.give();
      if (kind.name === "grant") await met.given;
      return await store.get(kind, id, now);
    },
  };
}

// Each row: the other sub, and the answers.
const atOnce = [["c-1", [200, 200]], ["c-2", [200, 400]]] as const;

for (const [sub, expected] of atOnce) {
  test(`new people: c-1 and ${sub} with one username, at once, become one person (RFC 7523 §3)`, async () => {
    const { server, services, createRequest } = openServer(meetingStore());
    const requests = await Promise.all([createRequest(), createRequest({ sub })]);
    const answers = await Promise.all(requests.map((request) => server.fetch(request)));
    assertEquals(answers.map(({ status }) => status).sort(), [...expected]);
    assertEquals(services.settings.people.all.map(({ username }) => username), ["bob", "carol"]);
  });
}
