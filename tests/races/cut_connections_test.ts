/** A connection to the store is cut at each piece of data in turn, and no client notices. */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../src/cli/open_store.ts";
import { openPostgres, testWithPostgres } from "../servers/postgres.ts";
import { openRedis, testWithRedis } from "../servers/redis.ts";
import { startTcpProxy } from "../servers/tcp_proxy.ts";
import { createWorld, type World } from "../world.ts";
import { fastKey } from "./explorer.ts";

const engines = [
  { name: "Postgres", test: testWithPostgres, open: openPostgres },
  { name: "Redis", test: testWithRedis, open: openRedis },
];

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

function refresh(world: World, token: string): Promise<Response> {
  const form = { grant_type: "refresh_token", refresh_token: token, client_id: "public" };
  return world.post("/oauth2/token", form);
}

async function readTokens(response: Response): Promise<Tokens> {
  assertEquals(response.status, 200);
  return await response.json();
}

/** Logs in, refreshes and revokes on one server. Another one checks what each step has left. */
async function play(cut: World, calm: World): Promise<void> {
  const code = await cut.code({ scope: "openid" });
  const first = await readTokens(await cut.redeem(code));
  const second = await readTokens(await refresh(cut, first.refresh_token));
  const authorization = `Bearer ${second.access_token}`;
  assertEquals((await calm.get("/userinfo", { authorization })).status, 200);
  const revoked = await cut.post("/oauth2/revoke", { token: second.refresh_token, client_id: "public" });
  assertEquals(revoked.status, 200);
  for (const again of [refresh(calm, second.refresh_token), refresh(cut, second.refresh_token)]) {
    assertEquals((await again).status, 400);
  }
  assertEquals((await calm.get("/userinfo", { authorization })).status, 401);
  assertEquals((await calm.redeem(code)).status, 400);
}

for (const { name, test, open } of engines) {
  for (const when of ["before", "after"] as const) {
    test(`cuts: ${name}: a connection cut ${when} any data arrives changes no answer of a flow`, async () => {
      const { url, discard } = await open();
      const proxy = await startTcpProxy(Number(new URL(url).port));
      const own = url.replace(new URL(url).host, `127.0.0.1:${proxy.port}`);
      const settings = name === "Postgres" ? "&pool_size=1" : "";
      const stores = [await openStore(own + settings, () => {}), await openStore(url, () => {})];
      const [cut, calm] = stores.map((store) => createWorld({ alg: "EdDSA", signingKeys: [fastKey], store }));
      try {
        let piece = 0;
        for (let isCut = true; isCut;) {
          const happens = proxy.cutAt(++piece, when);
          await play(cut!, calm!);
          isCut = happens();
        }
        assert(piece > 10, `${piece - 1} cuts`);
      } finally {
        await Promise.all([cut!, calm!].map((world) => world.close()));
        await Promise.all(stores.map((store) => store.close()));
        await proxy.close();
        await discard();
      }
    });
  }
}
