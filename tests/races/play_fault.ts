/** A request meets a store that fails or is slow at one call, and the client sends it again. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type ServerOptions, type Store, StoreUnavailable } from "../../src/mod.ts";
import { callbackParams, createClock, createWorld, type World } from "../world.ts";
import { fastKey, formatOutcome, seededRandom } from "./explorer.ts";
import { describeAnswer, describeRemains, type Observed, type Outcome } from "./outcome.ts";
import { openMemory, type OpenRaceStore, type RaceStore } from "./race_stores.ts";
import { watchStore } from "./watched_store.ts";

/**
 * What the store does at the chosen call. "fails": the caller gets `StoreUnavailable`, and nothing else happens. "breaks":
 * the caller gets an error that no store should throw. "loses the answer": it does the call, and the caller gets an error.
 * "breaks afterwards": likewise, with an error that no store should throw. "acts too late": the caller gets an error, and the store does the call
 * after the client's second request. "acts late": it does the call after the second request. "answers late": it does the
 * call, and answers after the second request.
 */
export const faults = [
  "fails",
  "breaks",
  "loses the answer",
  "breaks afterwards",
  "acts too late",
  "acts late",
  "answers late",
] as const;

export type Fault = (typeof faults)[number];

type Send = (world: World) => Promise<Response>;

export interface FaultyRequest {
  readonly name: string;
  readonly options?: ServerOptions;
  /** Prepares a world, and returns the request. */
  prepare(world: World, store: Store): Promise<Send>;
  /** Removes what may differ: for example a record that no client can use. */
  readonly compared?: (outcome: Outcome) => Outcome;
  /** The request makes at least this many store calls. */
  readonly calls: number;
  /** Each time that it is sent costs a password hash. */
  readonly isSlow?: true;
  /** Only one answer may be a success. */
  readonly once?: true;
  /** Uses the code or the token of a successful answer. The result must be a success if no other answer has one. */
  use?(world: World, answer: Response): Promise<Response>;
}

/**
 * Plays the fault at each store call in turn, on two servers over one store. Each time the first answer must be that the
 * server is busy or has failed, or the usual one. The second answer and the records must be those of a sequential order of the two
 * requests, or of the second request alone. Resolves to the number of the calls.
 */
export async function playFaults(
  request: FaultyRequest,
  fault: Fault,
  open: OpenRaceStore = openMemory,
): Promise<number> {
  const expected = await findOrders(request);
  for (let call = 1;; call++) {
    const { isStruck, isFailed, ...played } = await playFault(request, { fault, call }, open);
    if (!isStruck) {
      assert(call > request.calls, `${request.name}: ${call - 1} calls instead of at least ${request.calls}`);
      return call - 1;
    }
    const [text, accepted] = isFailed
      ? [played.second, expected.map(({ second }) => second)]
      : [played.both, expected.slice(1).map(({ both }) => both)];
    assert(
      accepted.includes(text),
      `${request.name}: at call ${call} the store ${fault}, and then:\n${text}\nExpected one of:\n${
        [...new Set(accepted)].join("\nor:\n")
      }`,
    );
  }
}

/**
 * Plays the fault at each store call in turn, while this many seconds pass before the second request: codes, sessions and
 * tokens may end meanwhile. Each answer is one of the protocol, and a request that works once does not work twice.
 */
export async function playFaultsDuring(request: FaultyRequest, fault: Fault, seconds: number): Promise<void> {
  for (let call = 1, isStruck = true; isStruck; call++) {
    const played = await playFault(request, { fault, call, seconds }, openMemory);
    isStruck = played.isStruck;
    if (request.once) assert(played.successes <= 1, `${request.name}: at call ${call}:\n${played.both}`);
  }
}

/** Outcomes as texts: of both requests, and as the client sees it that got no other answer than the second one. */
interface Played {
  readonly both: string;
  readonly second: string;
}

/** They are played once for each request, although several faults and stores are compared with them. */
const orders = new WeakMap<FaultyRequest, Promise<readonly Played[]>>();

function findOrders(request: FaultyRequest): Promise<readonly Played[]> {
  const known = orders.get(request) ?? playInOrder(request);
  orders.set(request, known);
  return known;
}

/** The outcomes of the second request alone, and of the two requests in both orders. */
function playInOrder(request: FaultyRequest): Promise<readonly Played[]> {
  const orders = [["second"], ["first", "second"], ["second", "first"]] as const;
  return Promise.all(
    orders.map((order) =>
      inWorlds(request, openMemory, async ({ send, describe, ...worlds }) => {
        const observed: Record<string, Observed> = {};
        for (const name of order) observed[name] = await observe(send, worlds[name]);
        return await describe(observed);
      })
    ),
  );
}

async function playFault(
  request: FaultyRequest,
  chosen: ChosenCall,
  open: OpenRaceStore,
): Promise<Played & { readonly isStruck: boolean; readonly isFailed: boolean; readonly successes: number }> {
  const { seconds = 0 } = chosen;
  let strike: Strike | undefined;
  const breakStore = (store: Store) => (strike = strikeCall(store, chosen)).store;
  return await inWorlds(request, open, async ({ send, first, second, describe }) => {
    let isFailed = false;
    const answering = observe(send, first, async (response) => {
      isFailed = isFailure(response);
      if (isFailed) await requireClear(response, strike!.error, first);
    });
    await Promise.race([strike!.reached, answering]);
    first.clock.advance(seconds);
    let answer: Response | undefined;
    const secondObserved = await observe(send, second, (response) => {
      assert(response.status !== 500, `${request.name}: ${second.lastRefusal()?.reason}`);
      answer = response.clone();
    });
    await strike!.resume();
    const observed = { first: await answering, second: secondObserved };
    const played = await describe(observed);
    if (isFailed && seconds === 0) await requireUsable(request, second, answer!);
    const successes = Object.values(observed).filter(({ answer }) => answer.status === 200).length;
    return { ...played, isStruck: strike!.isReached(), isFailed, successes };
  }, breakStore);
}

async function requireUsable({ name, use }: FaultyRequest, world: World, answer: Response): Promise<void> {
  const isSuccess = answer.status === 200 || answer.headers.get("location")?.includes("code=");
  if (use === undefined || !isSuccess) return;
  const { status } = await use(world, answer);
  assertEquals(status, 200, `${name}: the second answer cannot be used: ${world.lastRefusal()?.reason}`);
}

interface ChosenCall {
  readonly fault: Fault;
  /** The first call is 1. */
  readonly call: number;
  /** How long the call takes. */
  readonly seconds?: number;
}

interface Strike {
  readonly store: Store;
  readonly error: Error;
  /** Resolves when the store is called for the chosen time. */
  readonly reached: Promise<void>;
  isReached(): boolean;
  /** Lets a call go on that waits, and does a late call. */
  resume(): Promise<void>;
}

function strikeCall(store: Store, { fault, call: chosen }: ChosenCall): Strike {
  const reached = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const secret = "disk /dev/sda1 of db-7.internal failed";
  const error = fault.startsWith("breaks") ? new Error(secret) : new StoreUnavailable(secret);
  const acts = ["loses the answer", "breaks afterwards", "answers late"].includes(fault);
  let count = 0;
  let doLate: (() => Promise<unknown>) | undefined;

  async function meetFault<T>(perform: () => Promise<T>): Promise<T> {
    if (fault === "acts too late") doLate = perform;
    const done = acts ? await perform() : undefined;
    reached.resolve();
    if (fault !== "acts late" && fault !== "answers late") throw error;
    await resumed.promise;
    return fault === "answers late" ? done as T : await perform();
  }

  return {
    store: watchStore(store, (_call, perform) => ++count === chosen ? meetFault(perform) : perform()),
    error,
    reached: reached.promise,
    isReached: () => count >= chosen,
    async resume() {
      resumed.resolve();
      await doLate?.();
    },
  };
}

interface Worlds {
  readonly send: Send;
  readonly first: World;
  readonly second: World;
  describe(observed: Readonly<Record<string, Observed>>): Promise<Played>;
}

/** Prepares the request in a new store, with a server for each time that it is sent. */
async function inWorlds<T>(
  { options, prepare, compared = (outcome) => outcome }: FaultyRequest,
  openStore: OpenRaceStore,
  work: (worlds: Worlds) => Promise<T>,
  breakStore: (store: Store) => Store = (store) => store,
): Promise<T> {
  const kinds = new Set<string>();
  const clock = createClock();
  const { handles: [store, ...others], end }: RaceStore = openStore();
  const openWorld = (name: string, handle: Store) => {
    const watched = watchStore(handle, (call, perform) => {
      kinds.add(call.kind);
      return perform();
    });
    const random = seededRandom(name);
    return createWorld({ alg: "EdDSA", signingKeys: [fastKey], ...options, store: watched, random, clock });
  };
  const before = openWorld("before", store);
  const second = openWorld("second", others[1] ?? store);
  const worlds = [before, second];
  try {
    const send = await prepare(before, store);
    const first = openWorld("first", breakStore(others[0] ?? store));
    worlds.push(first);
    const describeOutcome = async (observed: Readonly<Record<string, Observed>>) => {
      const answers = Object.fromEntries(
        Object.entries(observed).map(([name, { answer }]) => [name, answer]),
      );
      const left = await describeRemains({ store, now: before.clock.now, kinds, observed });
      return formatOutcome(compared({ answers, left }));
    };
    return await work({
      send,
      first,
      second,
      describe: async ({ second, ...others }) => ({
        both: await describeOutcome({ ...others, second: second! }),
        second: await describeOutcome({ second: second! }),
      }),
    });
  } finally {
    await Promise.all(worlds.map((world) => world.close()));
    await end();
  }
}

async function observe(
  send: Send,
  world: World,
  look: (response: Response) => void | Promise<void> = () => {},
): Promise<Observed> {
  const response = await send(world);
  await look(response);
  return await describeAnswer(response, world.journal.at(-1));
}

/** Whether the answer says that the server is busy or has failed, as JSON, as a page, or at the redirect URI. */
function isFailure({ status, headers }: Response): boolean {
  return status >= 500 || /error=(temporarily_unavailable|server_error)/.test(headers.get("location") ?? "");
}

/** Asserts that the answer says what the client can do, and that only the journal has the error. */
async function requireClear(response: Response, error: Error, world: World): Promise<void> {
  const isBusy = error instanceof StoreUnavailable;
  const code = isBusy ? "temporarily_unavailable" : "server_error";
  const { status, headers } = response;
  const body = await response.clone().text();
  const entry = world.journal.at(-1)!;
  const location = headers.get("location");
  if (location !== null) {
    const params = callbackParams(response);
    assertEquals([params.get("error"), params.get("iss"), params.get("code")], [code, world.issuer, null]);
  } else {
    assertEquals([status, headers.get("retry-after")], isBusy ? [503, "2"] : [500, null]);
    assert(isBusy || body.includes(entry.id), "the answer lacks the id of the exchange");
    const type = headers.get("content-type")!;
    if (type.startsWith("application/json")) assertEquals(JSON.parse(body).error, code);
    else assertMatch(type, /^text\/html/);
  }
  assert(!headers.getSetCookie().some((cookie) => cookie.includes("session")));
  const sent = `${body} ${decodeURIComponent(JSON.stringify([...headers]))}`;
  for (const word of ["/dev/sda1", "db-7.internal", "StoreUnavailable", ".ts", "    at "]) {
    assert(!sent.includes(word), `the answer contains ${word}: ${sent}`);
  }
  const { refusal, fault } = entry.facts;
  assertEquals(refusal?.reason, isBusy ? "store_unavailable" : "unexpected_error");
  assertEquals(fault, error);
}
