/** A client source: each id that begins with `toy:` names a public client, which a person must approve first. */

import { assert, assertEquals } from "@std/assert";
import type { Client } from "../../src/server/oauth/contracts/client.ts";
import type { ClientSource } from "../../src/server/oauth/contracts/feature.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Kind } from "../../src/server/store/store.ts";
import { assertRefusedByRedirect, assertRefusedOnPage, assertTokens } from "../server/oauth/refusals.ts";
import type { Toy } from "./toys.ts";

interface Approval {
  readonly approvedAt: number;
  readonly usedUntil?: number;
}

const approvals: Kind<Approval> = { name: "client" };
const neverExpires = 2 ** 50;

/** The paths of the requests for which the source could fetch a client. */
const fetchedAt = new Set<string>();

const expectedId = "an id that begins with toy: and holds letters";

const source: ClientSource = {
  name: "toy",
  expects: () => expectedId,
  owns: (id) => id.startsWith("toy:"),
  async find(id, { store, now }, exchange) {
    if (!/^toy:[a-z]+$/.test(id)) return undefined;
    const entry = await store.get(approvals, id, now());
    if (exchange !== undefined) fetchedAt.add(exchange.request.address.path);
    if (entry !== undefined) return { ...describeClient(id), approvedBy: "person" };
    return exchange && describeClient(id);
  },
  async keep(client, { store, now }) {
    const terms = { expiresAt: neverExpires, now: now(), if: null };
    await store.put(approvals, client.id, { approvedAt: now() }, terms);
    return { ...client, approvedBy: "person" };
  },
  async recordUse(client, { livesUntil }, { store, now }) {
    const entry = await store.get(approvals, client.id, now());
    if (entry === undefined) return false;
    const terms = { expiresAt: neverExpires, now: now(), if: entry.version };
    return await store.put(approvals, client.id, { ...entry.value, usedUntil: livesUntil }, terms) !==
      undefined;
  },
};

const redirectUri = "https://toy.example/cb";
/** A redirect URI whose host name is not reserved for tests. */
export const publicRedirectUri = "https://toy.dev/cb";

function describeClient(id: string): Client {
  return {
    id,
    redirectUris: [redirectUri, publicRedirectUri],
    authentication: { method: "none" },
    grantTypes: ["authorization_code"],
    responseTypes: ["code"],
    requirePkce: true,
    members: {},
    source: source.name,
    epoch: "toy",
  };
}

const store = memoryStore();

export const clientSourceToy: Toy = {
  kind: "a client source",
  options: { store },
  feature: { name: "toy_clients", spec: "none", clientSources: [source] },
  async works(world) {
    // Another test may have used the source in the same process.
    fetchedAt.clear();
    const toy = { client_id: "toy:app", redirect_uri: redirectUri, scope: "openid" };
    const wrong = { ...toy, response_type: "token" };
    const refusal = { error: "unsupported_response_type", reason: "response_type_unsupported" };
    await assertRefusedOnPage(world, await world.authorize(wrong), refusal);
    const tokens = await assertTokens(await world.redeem(await world.code(toy), toy));
    // The server checks that the client of the token still exists.
    const authorization = `Bearer ${tokens["access_token"]}`;
    assertEquals((await world.get("/userinfo", { authorization })).status, 200);
    assertEquals([...fetchedAt], ["/oauth2/authorize", "/oauth2/token"]);
    const record = await store.get(approvals, "toy:app", world.clock.now);
    assertEquals(record?.value.usedUntil, world.clock.now + Number(tokens["expires_in"]));
    assertRefusedByRedirect(world, await world.authorize(wrong), { ...refusal, to: redirectUri });
    // First use would take another unknown id with this redirect URI.
    await world.authorize({ client_id: "toy:1", redirect_uri: "http://127.0.0.1:4000/cb" });
    const { reason, expected } = world.lastRefusal()!;
    assertEquals(reason, "client_unknown");
    assert(expected?.endsWith(expectedId), expected);
  },
};
