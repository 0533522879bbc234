/** A web page has no agents of Node to intercept. */

export function openAgents(): never {
  throw new TypeError("A web page cannot intercept node:http, which it does not have: leave node out");
}
