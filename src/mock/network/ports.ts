/** The ports that a mock has opened. */

import type { Answer, IncomingRequest } from "../../http/message.ts";
import type { Listening, ListenTerms } from "./listening.ts";

export interface Ports {
  /** `moveTo` moves the issuer to the port before the port is given to the test. */
  open(terms: ListenTerms, moveTo?: (origin: string) => void): Promise<Listening>;
  /** Whether the issuer is about to move to a port. */
  readonly areMoving: boolean;
  requireNone(): void;
  close(): Promise<void>;
}

export interface PortsTerms {
  readonly answer: (request: IncomingRequest) => Promise<Answer>;
  /** The signing keys are published: only this machine may reach the ports. */
  readonly signsWithTestKeys: boolean;
  readonly requireOpen: () => void;
}

export function createPorts({ answer, signsWithTestKeys, requireOpen }: PortsTerms): Ports {
  const ports = new Set<Listening>();
  let moving: Promise<Listening> | undefined;

  async function openOne(terms: ListenTerms, moveTo?: (origin: string) => void): Promise<Listening> {
    // Most tests need no port, so its code is loaded only now.
    const { openPort } = await import("./listening.ts");
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
    get areMoving() {
      return moving !== undefined;
    },
    requireNone() {
      const [open] = ports;
      if (open === undefined && moving === undefined) return;
      throw new Error(`This mock listens at ${open?.origin ?? "another port"} already: close that first`);
    },
    async close() {
      await moving?.catch(() => {});
      await Promise.all([...ports].map((port) => port.close()));
    },
  };
}
