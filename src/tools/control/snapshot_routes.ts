/** The routes of snapshots. Each gets an id when it is taken, and its content never leaves the server. */

import type { Snapshot } from "../../kit/mock/running_mock.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { ControlRefused } from "../guard/control_refused.ts";
import type { Registry } from "./registry.ts";
import { type ControlRoute, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";

/** Each one has all records of the server in memory. */
const mostSnapshots = 20;

export const snapshot: Schema = schema.openObject({
  id: schema.text("The name of the snapshot in the paths of other calls, for example snapshot-1."),
  at: schema.number("The time of the server's clock, in seconds since 1970."),
}, { required: ["id", "at"] });

export const snapshotRoutes: readonly ControlRoute[] = [
  route("GET /snapshots", "listSnapshots", {
    only: "server",
    summary: "Lists the snapshots.",
    answer: schema.listOf("snapshots", snapshot, "The snapshots that are not removed, the oldest first."),
    handle: ({ tenants: { snapshots } }) => ({
      snapshots: snapshots.list().map(([id, { at }]) => ({ id, at })),
    }),
  }),
  route("POST /snapshots", "snapshot", {
    only: "server",
    summary:
      "Keeps the people, clients, grants, sessions, keys and clocks of the server and its tenants in memory. Waits for " +
      `running requests. There are at most ${mostSnapshots} snapshots.`,
    created: snapshot,
    async handle({ tenants: { mock, snapshots } }) {
      requireRoom(snapshots);
      const taken = await mock.snapshot();
      // Other calls may have taken some meanwhile.
      requireRoom(snapshots);
      return { id: snapshots.add(taken), at: taken.at };
    },
  }),
  route("POST /snapshots/{snapshot}/restore", "restore", {
    only: "server",
    summary:
      "Returns to a snapshot, which stays. Waits for running requests. Journal, hooks and gates stay, and a newer tenant " +
      "is reset. With --people, the people of the server stay, too.",
    handle: ({ tenants: { mock, snapshots }, id }) => mock.restore(snapshots.require(id)),
  }),
  route("DELETE /snapshots/{snapshot}", "removeSnapshot", {
    only: "server",
    summary: "Removes a snapshot.",
    handle: ({ tenants: { snapshots }, id }) => void snapshots.remove(id),
  }),
];

function requireRoom(snapshots: Registry<Snapshot>): void {
  if (snapshots.list().length < mostSnapshots) return;
  throw new ControlRefused("failed", `There are ${mostSnapshots} snapshots already. Remove one first`);
}
