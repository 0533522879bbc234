/** The agents of `node:http` and `node:https`: their connections to intercepted origins end in the mock. */

import nodeModule from "node:module";
import type { Agent } from "node:http";
import type { Duplex } from "node:stream";
import { findRuntimeName } from "../../../server/runtime/runtime_name.ts";

interface Agents {
  readonly prototypes: readonly ConnectingPrototype[];
  /** Ends the connections, which an agent would keep for later requests. */
  end(): void;
}

/** A `Duplex`, which types for browsers do not know. */
export interface Connection {
  destroy(error?: Error): unknown;
}

/** The options of a request of `node:http` that name its host, which types for browsers do not know either. */
interface AddressOptions {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
  readonly socketPath?: string | undefined;
}

interface ConnectingPrototype {
  readonly prototype: object;
  originOf(args: readonly [AddressOptions]): string | undefined;
  answer(origin: string): Connection;
  refuse(error: TypeError): Connection;
}

export const noAgents: Agents = { prototypes: [], end: () => {} };

/** Answers the other end of a connection to an origin. */
export type Connect = (origin: string, connection: Connection) => void;

export function openAgents(connect: Connect): Agents {
  // Loaded only for a test that wants it, and without a wait, so that `intercept` is synchronous.
  const load = nodeModule.createRequire(import.meta.url);
  const { Duplex: Stream } = load("node:stream") as typeof import("node:stream");
  const open = new Set<Duplex>();
  const describe = (scheme: "http" | "https"): ConnectingPrototype => {
    const { prototype } = (load(`node:${scheme}`) as { readonly Agent: typeof Agent }).Agent;
    if (typeof Reflect.get(prototype, "createConnection") !== "function") {
      throw new TypeError(
        `Cannot intercept node:${scheme} on this version of ${findRuntimeName()}: its agents create no connections`,
      );
    }
    return {
      prototype,
      originOf: ([{ host, port, socketPath }]) => {
        const url = `${scheme}://${host?.includes(":") ? `[${host}]` : host}:${port}`;
        return socketPath || !URL.canParse(url) ? undefined : new URL(url).origin;
      },
      answer(origin) {
        const [client, server] = createPair(Stream);
        open.add(client);
        client.once("close", () => open.delete(client));
        connect(origin, server);
        return client;
      },
      // The error comes with the first octets, because the client does not listen before.
      refuse: (error) => new Stream({ read() {}, write: (_chunk, _encoding, done) => done(error) }),
    };
  };
  return {
    prototypes: [describe("http"), describe("https")],
    end: () => open.forEach((each) => each.destroy()),
  };
}

/** Creates the two ends of a connection in memory. */
function createPair(Stream: typeof Duplex): readonly [Duplex, Duplex] {
  const one: Duplex = createEnd(Stream, () => other);
  const other: Duplex = createEnd(Stream, () => one);
  return [one, other];
}

function createEnd(Stream: typeof Duplex, findOther: () => Duplex): Duplex {
  const send = (chunk: unknown, done: () => void) => {
    findOther().push(chunk);
    done();
  };
  const end: Duplex = new Stream({
    read() {},
    write: (chunk, _encoding, done) => send(chunk, done),
    final: (done) => send(null, done),
    destroy(error, done) {
      // An end that has said its last word leaves the other one time to read it.
      if (!end.writableFinished) findOther().destroy();
      done(error);
    },
  });
  // Clients and servers call these functions of a socket.
  const ignored = ["setTimeout", "setNoDelay", "setKeepAlive", "ref", "unref"];
  return Object.assign(end, Object.fromEntries(ignored.map((name) => [name, () => end])));
}
