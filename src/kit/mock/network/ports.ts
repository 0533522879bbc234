/** Opens ports of a mock, and closes them with the mock. */

import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import type { Connection } from "./agents.ts";
import type { Listening, ListenTerms } from "./listening.ts";

export interface Ports {
  /** `moveTo` changes the issuer to the origin of the port before the returned promise resolves. */
  open(terms: ListenTerms, moveTo?: (origin: string) => void): Promise<Listening>;
  /** Answers the requests of a connection that comes from no port. */
  connect(origin: string, connection: Connection): void;
  /** Whether a port is being opened to which the issuer will move. */
  readonly areMoving: boolean;
  readonly origin: string | undefined;
  requireNone(): void;
  close(): Promise<void>;
}

interface PortsOptions {
  readonly answer: (request: IncomingRequest) => Promise<Answer>;
  /** Answers also for the APIs at other origins. Absent: there are none. */
  readonly answerAny?: (request: IncomingRequest) => Promise<Answer>;
  /** Whether the private signing keys are public. If so, ports must be reachable from this machine only. */
  readonly signsWithTestKeys: boolean;
  readonly requireOpen: () => void;
}

export function createPorts(
  { answer, answerAny = answer, signsWithTestKeys, requireOpen }: PortsOptions,
): Ports {
  const ports = new Set<Listening>();
  let moving: Promise<Listening> | undefined;

  // Loads the code of the listener only now, because most tests open no port.
  const loadListening = () => import("./listening.ts");

  async function openOne(terms: ListenTerms, moveTo?: (origin: string) => void): Promise<Listening> {
    const { openPort } = await loadListening();
    const opened = await openPort(terms, answer, signsWithTestKeys);
    try {
      requireOpen();
      moveTo?.(opened.origin);
    } catch (error) {
      await opened.close();
      throw error;
    }
    const close = async () => {
      ports.delete(port);
      await opened.close();
    };
    const port: Listening = { ...opened, close, [Symbol.asyncDispose]: close };
    ports.add(port);
    return port;
  }

  return {
    async open(terms, moveTo) {
      if (moveTo === undefined) return await openOne(terms);
      moving = openOne(terms, moveTo).finally(() => moving = undefined);
      return await moving;
    },
    connect(origin, connection) {
      loadListening()
        .then(({ answerConnection }) => answerConnection(origin, connection, answerAny))
        .catch((error) => connection.destroy(error));
    },
    get areMoving() {
      return moving !== undefined;
    },
    get origin() {
      const [open] = ports;
      return open?.origin;
    },
    requireNone() {
      const [open] = ports;
      if (open === undefined && moving === undefined) return;
      throw new Error(
        `This mock listens at ${open?.origin ?? "another port"} already. Close that port first`,
      );
    },
    async close() {
      await moving?.catch(() => {});
      await Promise.all([...ports].map((port) => port.close()));
    },
  };
}
