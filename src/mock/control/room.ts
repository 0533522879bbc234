/** What the control remembers of each tenant: things that a test holds in its hand, and other languages by a name. */

import type { Duration } from "../duration.ts";
import { type Browser, createBrowser } from "../browser.ts";
import type { Gate } from "../gates.ts";
import type { HookName, HookTerms } from "../hooks.ts";
import type { EndpointName } from "../requests.ts";
import type { Tokens } from "../tokens.ts";
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

export interface HookAsked extends HookTerms {
  readonly name: HookName;
  readonly patch: Readonly<Record<string, unknown>>;
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
  readonly gates: Shelf<GateKept>;
  readonly hooks: Shelf<HookKept>;
  /** Made when it is first named. */
  browser(name: string): Browser;
  /** Tokens that were given to a program, which the kit knows more about than is in them. */
  remember(tokens: Tokens): Tokens;
  recall(token: string): Tokens | undefined;
  clear(): void;
}

/** One for the server itself, and one for each tenant that is there. */
export interface Rooms {
  readonly root: Room;
  /** The tenants' names, in the order in which they were made. */
  names(): readonly string[];
  find(name: string): Room | undefined;
  create(name: string): Room;
  forget(name: string): void;
  clear(): void;
}

export function createRooms(): Rooms {
  const root = createRoom();
  const rooms = new Map<string, Room>();
  return {
    root,
    names: () => [...rooms.keys()],
    find: (name) => rooms.get(name),
    create(name) {
      const room = createRoom();
      rooms.set(name, room);
      return room;
    },
    forget: (name) => void rooms.delete(name),
    clear() {
      for (const room of [root, ...rooms.values()]) room.clear();
    },
  };
}

// More than any test looks back at.
const mostRemembered = 1000;

function createRoom(): Room {
  const gates = createShelf<GateKept>("gate");
  const hooks = createShelf<HookKept>("hook");
  const browsers = new Map<string, Browser>();
  const given = new Map<string, Tokens>();
  return {
    gates,
    hooks,
    browser(name) {
      const found = browsers.get(name) ?? createBrowser();
      browsers.set(name, found);
      return found;
    },
    remember(tokens) {
      for (const text of [tokens.refresh_token, tokens.id_token]) {
        if (text !== undefined) given.set(text, tokens);
      }
      for (const oldest of given.keys()) {
        if (given.size <= mostRemembered) break;
        given.delete(oldest);
      }
      return tokens;
    },
    recall: (token) => given.get(token),
    clear() {
      gates.clear();
      hooks.clear();
      browsers.clear();
      given.clear();
    },
  };
}

function createShelf<T>(what: string): Shelf<T> {
  const kept = new Map<string, T>();
  // It goes on after a reset: an old id shall not come to mean something else.
  let made = 0;

  function require(id: string): T {
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
    require,
    remove(id) {
      const thing = require(id);
      kept.delete(id);
      return thing;
    },
    list: () => [...kept],
    clear: () => kept.clear(),
  };
}
