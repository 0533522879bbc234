/** What the control remembers of each tenant: things that a test holds in its hand, and other languages by a name. */

import { type Browser, createBrowser } from "../mock/client/browser.ts";
import type { Gate } from "../mock/conditions/gates.ts";
import type { HookName, HookTerms } from "../mock/conditions/hooks.ts";
import type { EndpointName } from "../mock/endpoints.ts";
import type { Tenant } from "../mock/tenant.ts";
import type { Duration } from "../mock/terms/duration.ts";
import { ControlRefused } from "./errors.ts";

/** A gate, a delay or a drop, as it was asked for. */
export interface GateAsked {
  readonly endpoint: EndpointName;
  readonly kind: "hold" | "delay" | "drop";
  readonly count?: number;
  readonly by?: Duration;
}

export interface GateKept {
  readonly asked: GateAsked;
  /** Only what holds can be waited at. */
  readonly gate?: Gate;
  readonly end: Disposable;
}

export interface HookAsked extends Omit<HookTerms, "person"> {
  readonly name: HookName;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly username?: string;
}

export interface HookKept {
  readonly asked: HookAsked;
  /** How often it has changed something. */
  readonly used: () => number;
  readonly end: Disposable;
}

export interface Shelf<T> {
  /** Under a new id. */
  keep(thing: T): string;
  require(id: string): T;
  remove(id: string): T;
  list(): readonly (readonly [id: string, thing: T])[];
  clear(): void;
}

export interface Room {
  readonly tenant: Tenant;
  readonly gates: Shelf<GateKept>;
  readonly hooks: Shelf<HookKept>;
  /** Made when it is first named. */
  browser(name: string): Browser;
  /** For what makes sense only where somebody has been. */
  requireBrowser(name: string): Browser;
  clear(): void;
}

/** One for the server itself, and one for each tenant that is there. */
export interface Rooms {
  readonly root: Room;
  /** The tenants' names, in the order in which they were made. */
  names(): readonly string[];
  find(name: string): Room | undefined;
  create(name: string, tenant: Tenant): Room;
  forget(name: string): void;
  /** What is refused makes no tenant: it is gone again, unless something has been asked of it. */
  attempt<T>(room: Room, work: () => T | Promise<T>): Promise<T>;
  /** The root's things are gone, and all tenants. */
  clear(): void;
}

export function createRooms(server: Tenant): Rooms {
  const root = createRoom(server);
  const rooms = new Map<string, Room>();
  // Tenants without a successful call so far, with the number of running calls.
  const provisional = new WeakMap<Room, number>();

  function leave(room: Room): void {
    const calls = provisional.get(room);
    if (calls === undefined) return;
    provisional.set(room, calls - 1);
    if (calls > 1 || room.tenant.requests.length > 0) return;
    for (const [name, each] of rooms) if (each === room) rooms.delete(name);
    closeSoon(room);
  }

  return {
    root,
    names: () => [...rooms.keys()],
    find: (name) => rooms.get(name),
    create(name, tenant) {
      const room = createRoom(tenant);
      rooms.set(name, room);
      provisional.set(room, 0);
      return room;
    },
    forget: (name) => void rooms.delete(name),
    async attempt(room, work) {
      const calls = provisional.get(room);
      if (calls !== undefined) provisional.set(room, calls + 1);
      try {
        const done = await work();
        provisional.delete(room);
        return done;
      } catch (error) {
        leave(room);
        throw error;
      }
    },
    clear() {
      root.clear();
      for (const room of rooms.values()) closeSoon(room);
      rooms.clear();
    },
  };
}

/** Nothing new is answered from now on, and a last request that never ends keeps nobody waiting. */
function closeSoon({ tenant }: Room): void {
  tenant.close().catch(() => {});
}

function createRoom(tenant: Tenant): Room {
  const gates = createShelf<GateKept>("gate");
  const hooks = createShelf<HookKept>("hook");
  const browsers = new Map<string, Browser>();
  return {
    tenant,
    gates,
    hooks,
    browser(name) {
      const found = browsers.get(name) ?? createBrowser();
      browsers.set(name, found);
      return found;
    },
    requireBrowser(name) {
      // A call that was refused before it asked anything has named one, and not used it.
      const used = [...browsers].filter(([, { cookies }]) => cookies.size > 0);
      const found = used.find(([known]) => known === name);
      if (found !== undefined) return found[1];
      const names = used.map(([known]) => known).join(", ") || "none";
      throw new ControlRefused(
        "invalid_request",
        `Nobody has used a browser ${JSON.stringify(name)}: there is ${names}`,
        { place: "browser", expected: "a name that was given to login or authorize" },
      );
    },
    clear() {
      gates.clear();
      hooks.clear();
      browsers.clear();
    },
  };
}

function createShelf<T>(what: string): Shelf<T> {
  const kept = new Map<string, T>();
  // It goes on after a reset: an old id shall not come to mean something else.
  let made = 0;

  function requireKept(id: string): T {
    const thing = kept.get(id);
    if (thing !== undefined) return thing;
    const ids = [...kept.keys()].join(", ") || "none";
    throw new ControlRefused("not_found", `There is no ${what} ${JSON.stringify(id)}: there is ${ids}`);
  }

  return {
    keep(thing) {
      const id = `${what}-${++made}`;
      kept.set(id, thing);
      return id;
    },
    require: requireKept,
    remove(id) {
      const thing = requireKept(id);
      kept.delete(id);
      return thing;
    },
    list: () => [...kept],
    clear: () => kept.clear(),
  };
}
