/** The requests of a server: counts the running ones, and holds or refuses new ones while the server ends. */

import { type IncomingRequest, withHeaders } from "../http/message.ts";
import { refusedWhileClosing, type Respond } from "./listener.ts";

export type IsRefused = (request: IncomingRequest) => boolean;

export interface Requests {
  readonly answer: Respond;
  /** From now on, each answer closes its connection, and requests for which `isRefused` returns true get 503. */
  announceEnd(isRefused: IsRefused): void;
  /** From now on, new requests wait. */
  hold(): void;
  /** Returns how many requests have had to wait. */
  countHeld(): number;
  /** Answers the requests that wait. */
  release(): void;
  /** Resolves when no request is running. */
  drained(): Promise<void>;
}

export function trackRequests(answer: Respond): Requests {
  let running = 0;
  let held = 0;
  let released: Promise<void> | undefined;
  let release = () => {};
  let isRefused: IsRefused | undefined;
  let whenDrained: (() => void) | undefined;
  return {
    async answer(request) {
      if (isRefused?.(request)) return refusedWhileClosing;
      running++;
      try {
        if (released !== undefined) {
          held++;
          await released;
        }
        const answered = await answer(request);
        // A client that sent its next request on this connection could not know whether the server has read it.
        return isRefused === undefined ? answered : withHeaders(answered, { connection: "close" });
      } finally {
        if (--running === 0) whenDrained?.();
      }
    },
    announceEnd: (refused) => void (isRefused = refused),
    hold: () => void (released ??= new Promise((resolve) => release = resolve)),
    countHeld: () => held,
    release: () => release(),
    drained: () => new Promise((resolve) => running === 0 ? resolve() : whenDrained = resolve),
  };
}
