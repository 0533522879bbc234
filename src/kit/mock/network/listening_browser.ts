/** A web page cannot open ports. */

export function openPort(): never {
  throw new TypeError(
    "A web page cannot listen on a port: give the client as.fetch, use as.intercept(), or start a server on Node, " +
      "Deno or Bun",
  );
}

export const answerConnection: typeof openPort = openPort;
