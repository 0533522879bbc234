/**
 * Counts the octets that a live grant, a tenant and the recorder retain, after the collector has run. It runs as a process of its own,
 * whose collector a program can call.
 */
import { createMock } from "../../src/kit/mod.ts";
import { parseFilter } from "../../src/kit/mock/journal/filter.ts";
import { createJournalIndex } from "../../src/kit/mock/journal/journal_index.ts";
import { createRecorder } from "../../src/kit/mock/journal/recorder.ts";
import type { JournalEntry } from "../../src/server/oauth/contracts/journal.ts";
import { createPlainServer } from "../../src/server/server.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { createOperations, options } from "./count_allocations.ts";

async function countHeap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    // The runtime frees buffers between two turns.
    await new Promise((resolve) => setTimeout(resolve, 0));
    (globalThis as unknown as { readonly gc: () => void }).gc();
  }
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

/** Counts a grant with its session, as a login without cookies leaves them. */
async function countGrant(): Promise<number> {
  const put = new Map<string, unknown>();
  const kept = memoryStore();
  const store: Store = {
    ...kept,
    put(kind, id, value, terms) {
      put.set(kind.name, value);
      return kept.put(kind, id, value, terms);
    },
  };
  await (await createOperations(createPlainServer({ ...options, store }))).code_flow();
  const filled = memoryStore();
  const terms = { expiresAt: 1_800_003_600.5, now: 1_800_000_000 };
  const fill = async (logins: number) => {
    for (let login = 0; login < logins; login++) {
      for (const name of ["session", "grant"]) {
        await filled.put({ name }, btoa(crypto.randomUUID()).slice(0, 22), put.get(name), terms);
      }
    }
    return await countHeap();
  };
  const before = await fill(20_000);
  const count = Math.round((await fill(20_000) - before) / 20_000);
  await filled.close();
  return count;
}

/** Counts a tenant with the options of its mock, after one login. The first tenants make what all share. */
async function countTenant(): Promise<number> {
  await using as = await createMock({ alg: "ES256" });
  let created = 0;
  const use = async (tenants: number) => {
    for (let count = 0; count < tenants; count++) await as.tenant(`tenant-${created++}`).login("alice");
    return await countHeap();
  };
  const before = await use(50);
  return Math.round((await use(200) - before) / 200);
}

let written = 0;

/** Texts that were cut from longer ones, as a server cuts them from requests. */
function createEntry(): JournalEntry {
  const number = `${written++}`.padStart(22, "0");
  const text = (length: number) => number.repeat(length / 22 + 1).slice(0, length);
  const query = `client_id=a-client-of-the-journal&flow=${number}&state=${text(250)}`;
  const [, clientId, flow] = /^client_id=([^&]+)&flow=([^&]+)/.exec(query)!;
  return {
    id: number,
    receivedAt: 1_800_000_000.5 + written,
    duration: 0.25,
    request: {
      ...{ method: "GET", path: "/oauth2/authorize", query },
      headers: [["host", "localhost:9000"], ["accept", "text/html"], ["cookie", `session=${text(66)}`]],
    },
    response: {
      status: 303,
      headers: [["location", `https://client.example/?code=${text(66)}`], ["cache-control", "no-store"]],
      body: text(1200),
    },
    facts: {
      ...{ endpoint: "authorize", clientId: clientId!, flow: flow!, subject: "alice", pkce: "S256" },
      scope: ["openid", "profile", "a-scope-of-the-journal"],
    },
  };
}

/** Reads the journal as a test and a dashboard do. */
async function countRecorder(exchanges: number): Promise<Record<string, unknown>> {
  const before = await countHeap();
  const recorder = createRecorder();
  const index = createJournalIndex(() => [recorder]);
  const line = "text-of-no-request";
  for (let count = 1; count <= exchanges; count++) {
    recorder.write(createEntry(), { endpoint: "authorize", isLost: false });
    if (count % 1_000 === 0) await index.select(line, parseFilter(line));
  }
  const read = recorder.requests.map(({ clientId, location }) => `${clientId}${location}`).length;
  const retained = await countHeap() - before;
  const latest = Array.from({ length: 1_000 }, (_, at) => `${written - 1 - at}`.padStart(22, "0"));
  const found = latest.filter((flow) => {
    const raw = recorder.requests.of({ flow }).last?.raw();
    return raw?.request.query.includes(`flow=${flow}&`) && raw.response.body?.startsWith(flow);
  });
  return { retained, read, found: found.length, indexed: index.count };
}

/** Counts the octets of the arrays that the recorder makes while nothing reads it. */
function countMade(exchanges: number): number {
  const { Uint8Array } = globalThis;
  let made = 0;
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args) {
      if (typeof args[0] === "number") made += args[0];
      return Reflect.construct(target, args);
    },
  });
  const recorder = createRecorder();
  for (let count = 0; count < exchanges; count++) {
    recorder.write(createEntry(), { endpoint: "authorize", isLost: false });
  }
  globalThis.Uint8Array = Uint8Array;
  return made;
}

if (import.meta.main) {
  const grant = await countGrant();
  const tenant = await countTenant();
  console.log(
    JSON.stringify({ grant, tenant, recorder: await countRecorder(12_000), made: countMade(40_000) }),
  );
}
