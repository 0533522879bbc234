/** Two servers on one store, each with a clock of its own. A test moves both clocks, or one of them. */

import { memoryStore, type ServerOptions, type Store } from "../src/mod.ts";
import { createWorld, type World, worldDefaults, type WorldOptions } from "./world.ts";

export interface TwoServers {
  readonly store: Store;
  readonly first: World;
  readonly second: World;
  /** Sends each request to the other server than the request before. */
  readonly both: World;
  /** How many seconds the clock of the second server is ahead. */
  difference: number;
  /** Moves both clocks. */
  advance(seconds: number): void;
  /** Closes the second server, and opens another one in its place. */
  restart(): Promise<void>;
}

export async function withTwoServers(
  { difference = 0, store = memoryStore(), ...options }: WorldOptions & { readonly difference?: number },
  work: (servers: TwoServers) => Promise<void>,
  defaults: ServerOptions = worldDefaults,
): Promise<void> {
  const time = { now: 1_800_000_000, difference };
  const createClock = (ahead: () => number): World["clock"] => ({
    get now() {
      return time.now + ahead();
    },
    set now(now) {
      time.now = now - ahead();
    },
    advance(seconds) {
      time.now += seconds;
    },
  });
  const open = (ahead: () => number) => {
    const clock = createClock(ahead);
    return createWorld({ ...options, store, clock, now: () => clock.now }, defaults);
  };
  const first = open(() => 0);
  let second = open(() => time.difference);
  let requests = 0;
  const both = createWorld({
    ...options,
    answerWith: (...request) => (requests++ % 2 === 0 ? first : second).fetch(...request),
  }, defaults);
  try {
    await work({
      store,
      first,
      get second() {
        return second;
      },
      both: { ...both, clock: first.clock },
      get difference() {
        return time.difference;
      },
      set difference(seconds) {
        time.difference = seconds;
      },
      advance(seconds) {
        time.now += seconds;
      },
      async restart() {
        await second.close();
        second = open(() => time.difference);
      },
    });
  } finally {
    await Promise.all([first.close(), second.close(), both.close()]);
    await store.close();
  }
}
