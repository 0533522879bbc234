/** One of two servers over one store is restarted. `tests/slow` has more restarts, on more runtimes and stores. */
import { assertEquals } from "@std/assert";
import { sharedStores } from "../servers/shared_stores.ts";
import { restartInTurn } from "./restarts.ts";

const [store] = sharedStores;

store!.test(`restarts: two servers over ${store!.name}, one restarted: no flow fails`, async () => {
  const { url, discard } = await store!.open();
  try {
    const { failures } = await restartInTurn({ url, restarts: 1 });
    assertEquals(failures, []);
  } finally {
    await discard();
  }
});
