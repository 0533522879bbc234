/** A server process that is killed in the middle of a write. `tests/slow` has more kills. */
import { assert } from "@std/assert";
import { sharedStores } from "../../servers/shared_stores.ts";
import { type Kill, survive } from "../../races/kills.ts";

for (const store of sharedStores) {
  // The process does not run while SQLite writes.
  const points = store.name === "SQLite"
    ? ["before", "after"] as const
    : ["before", "during", "after"] as const;
  const kills = points.map((point, index): Kill => ({ point, answers: 80 + 9 * index }));
  store.test(
    `kills: ${store.name}: killed ${points.join(", ")} a write, a server loses nothing acknowledged`,
    async () => {
      const { url, discard } = await store.open();
      try {
        const { revoked } = await survive(kills, url);
        assert(revoked > 0, "no grant was revoked");
      } finally {
        await discard();
      }
    },
  );
}
