/** Snapshots of a mock and its tenants, to which a test returns. Only the command line writes their content to a file. */

import { describeValue } from "../../ground/schema/received.ts";
import type { TenantState } from "./create_tenant.ts";
import type { Tenants } from "./tenants.ts";
import { WrongTerm } from "./terms/wrong_term.ts";

/** What `as.snapshot` has kept. Only the same mock can restore it. */
export interface Snapshot {
  /** The time of the mock's clock, in seconds since 1970. */
  readonly at: number;
}

/** The mock itself has an empty name, and comes first. */
export type SnapshotContent = ReadonlyMap<string, TenantState>;

export interface Snapshots {
  take(): Promise<Snapshot>;
  restore(snapshot: Snapshot): Promise<void>;
  contentOf(snapshot: Snapshot): SnapshotContent | undefined;
  /**
   * Makes a snapshot of the content of another one, and creates the tenants that are missing. Throws if people or clients
   * are not right.
   */
  adopt(content: SnapshotContent): Snapshot;
  /** Throws if the mock is closed, or if other processes may have the same records. */
  requireOwn(doing: string): void;
}

// Records are read again if a request has begun meanwhile, because it may have changed some of them.
const mostReads = 10;

/** `areShared` says whether other processes may have the same records. */
export function createSnapshots(tenants: Tenants, areShared: boolean): Snapshots {
  const contents = new WeakMap<object, SnapshotContent>();
  const countBegun = () => tenants.all.reduce((sum, { runningRequests }) => sum + runningRequests.begun, 0);

  function requireOwn(doing: string): void {
    tenants.root.context.requireOpen();
    if (!areShared) return;
    throw new Error(
      `Cannot ${doing}: other processes may use the same store, and would go on with their own records. Use ` +
        "a store in memory or SQLite",
    );
  }

  function keep(content: SnapshotContent): Snapshot {
    const snapshot: Snapshot = Object.freeze({ at: tenants.root.context.clock.now });
    contents.set(snapshot, content);
    return snapshot;
  }

  /** Resolves when no request is running. */
  async function waitForRequests(doing: string): Promise<void> {
    while (tenants.open.some(({ runningRequests }) => runningRequests.isBusy)) {
      for (const each of tenants.open) await each.runningRequests.finish(doing);
    }
  }

  return {
    requireOwn,
    contentOf: (snapshot) => contents.get(snapshot),
    adopt(content) {
      for (const name of content.keys()) if (name !== "") tenants.obtain(name, {});
      for (const { name, requireFit } of tenants.open) {
        const state = content.get(name);
        if (state !== undefined) requireFit(state);
      }
      return keep(content);
    },
    async take() {
      const doing = "take a snapshot";
      requireOwn(doing);
      for (let reads = 0; reads < mostReads; reads++) {
        await waitForRequests(doing);
        const before = countBegun();
        // The mock itself comes first, because restoring its records deletes those of its tenants.
        const read = tenants.open.map(async (each) => [each.name, await each.readState()] as const);
        const states = new Map(await Promise.all(read));
        if (countBegun() !== before) continue;
        for (const each of tenants.open) each.keep();
        return keep(states);
      }
      throw new Error(`Cannot ${doing}, because requests come all the time`);
    },
    async restore(snapshot) {
      const doing = "restore a snapshot";
      requireOwn(doing);
      const states = contents.get(snapshot);
      if (states === undefined) {
        throw new WrongTerm(doing, "one that this mock has taken", describeValue(snapshot));
      }
      const restoring: (() => void)[] = [];
      for (const [name, state] of states) {
        const tenant = tenants.open.find((each) => each.name === name);
        if (tenant === undefined) {
          throw new Error(`Cannot ${doing}: the tenant ${name} is closed. Create it first`);
        }
        restoring.push(await tenant.prepareState(state));
      }
      await waitForRequests(doing);
      requireOwn(doing);
      // Nothing waits from here on, so that each request meets all of the old state or all of the new one.
      for (const restore of restoring) restore();
      for (const { name, tenant } of tenants.open) if (!states.has(name)) tenant.reset();
    },
  };
}
