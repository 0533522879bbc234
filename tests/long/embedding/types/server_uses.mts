/** Uses of the server and of the store contract that must compile on every platform. */

import {
  authorizedPage,
  type Configuration,
  createServer,
  type Grant,
  hashPassword,
  type JournalEntry,
  memoryStore,
  type Server,
  type ServerOptions,
  sqliteStore,
  type Store,
  StoreUnavailable,
} from "postern";
import { openDashboard, type OpenedDashboard } from "postern/dashboard";
import { createMock } from "postern/mock";
import { storeContract, type StoreContractOptions } from "postern/store-contract";

const configuration: Configuration = {
  issuer: "https://id.test",
  clients: [{ client_id: "app", redirect_uris: ["https://app.test/callback"] }],
  people: [{ username: "carol", password: await hashPassword("open sesame"), claims: { name: "Carol" } }],
  scopes: { orders: "See orders" },
};

export async function use(): Promise<void> {
  const store: Store = memoryStore();
  const entries: JournalEntry[] = [];
  const options: ServerOptions = {
    ...configuration,
    store,
    journal: (entry) => void entries.push(entry),
    seams: { claims: ({ token, claims }) => ({ token, claims: { ...claims, role: "admin" } }) },
    now: () => Date.now() / 1000,
    fetch: async (input, init) => await fetch(input, init),
  };
  const server: Server = createServer(options);
  const { status }: Response = await server.fetch(new Request(server.issuer));
  createServer({ fetch });
  await server.fetch(new Request(server.issuer), { peer: "192.0.2.1" });
  await server.rotateKeys({ atOnce: true });
  const { url }: OpenedDashboard = await openDashboard(server, {
    key: "a-key-of-this-program",
    label: "Orders",
  });
  await server.close();
  await using as = await createMock();
  await using dashboard = await openDashboard(as, { change: true });
  console.log(url, dashboard.url);

  const page: Response = authorizedPage({ tokenEndpoint: "https://id.test/oauth2/token" })(
    new Request("https://app.test/callback"),
  );
  const scope: string | undefined = (undefined as Grant | undefined)?.scope.join(" ");
  const refusal: string | undefined = entries[0]?.facts.refusal?.reason;
  console.log(status, page.status, scope, refusal, new Error() instanceof StoreUnavailable);
}

export function prove(test: StoreContractOptions["test"]): void {
  storeContract("memory", () => Promise.resolve({ store: memoryStore() }), { test });
  storeContract("SQLite", async () => ({ store: await sqliteStore("file.db") }), { test, without: ["list"] });
}
