/** A process with a server that fetches from a faulty host in every way. Prints a line for each fetch. */
import process from "node:process";
import type { ClientMetadata } from "../../../../src/mod.ts";
import { clientOf, inOpenId, signIn } from "../../../server/openid/openid_world.ts";
import { askAs, assertion } from "../../../server/tokens/assertions.ts";
import { createBrowser, type World } from "../../../world.ts";
import { faults, type FaultyHost, openFaultyHost } from "./faulty_host.ts";

/** This module's own URL, also after bundling. */
export const program: string = import.meta.url;
export const programMark = "postern-fetching-process";

interface Way {
  /** The client whose metadata name the address, if it is configured. */
  readonly client?: (id: string, url: string) => ClientMetadata;
  /** Makes the server fetch the address, and resolves to the status of what the server answers. */
  readonly fetch: (world: World, id: string, url: string) => Promise<number>;
  /** The status if the fetch fails. */
  readonly status: number;
}

/** Every member whose address the server calls. A new outgoing request needs its row here. */
export const ways: Readonly<Record<string, Way>> = {
  client_id: {
    fetch: async (world, _id, url) => (await world.authorize({ client_id: url })).status,
    status: 400,
  },
  jwks_uri: {
    client: (id, jwks_uri) => ({
      client_id: id,
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri,
      redirect_uris: ["https://app.example/cb"],
    }),
    fetch: async (world, id) => (await askAs(world, await assertion(world, { clientId: id }))).status,
    status: 401,
  },
  backchannel_logout_uri: {
    client: (id, backchannel_logout_uri) =>
      clientOf(id, { backchannel_logout_uri, redirect_uris: [`https://${id}.example/cb`] }),
    async fetch(world, id) {
      const browser = createBrowser(world);
      const { id_token } = await signIn(world, browser, "alice", { client_id: id });
      return (await browser.open(`/connect/logout?id_token_hint=${id_token}`)).status;
    },
    status: 200,
  },
};

async function fetchInEveryWay({ port }: FaultyHost): Promise<void> {
  const fetches = Object.entries(ways).flatMap(([name, way]) =>
    Object.keys(faults).map((fault, index) => {
      const url = `http://localhost:${port}/${index}`;
      return { way, url, id: `${name.replaceAll("_", "-")}-${index}`, label: `${name}: ${fault}` };
    })
  );
  const clients = fetches.flatMap(({ way, id, url }) => way.client?.(id, url) ?? []);
  await inOpenId({ issuer: "http://localhost:9000", clients }, async (world) => {
    for (const { way, id, url, label } of fetches) {
      console.log(`${label} → ${await way.fetch(world, id, url)}`);
    }
  });
}

async function main(): Promise<void> {
  const all = Object.values(faults);
  const host = await openFaultyHost((path) => all[Number(path.slice(1))] ?? ((socket) => socket.end()));
  await fetchInEveryWay(host);
  // What comes late comes before this.
  await host.close();
  console.log("alive");
}

if (process.argv[2] === programMark) await main();
