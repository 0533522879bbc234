/** A web page cannot open ports. */

import type { Ports } from "./ports.ts";

export function createPorts(): Ports {
  return {
    open: () =>
      Promise.reject(
        new TypeError(
          "A web page cannot listen on a port: give the client as.fetch, use as.intercept(), or start a server on " +
            "Node, Deno or Bun",
        ),
      ),
    connect() {},
    areMoving: false,
    origin: undefined,
    requireNone() {},
    close: () => Promise.resolve(),
  };
}
