/** A web page opens no connections: its browser does. */

export function findOpenTls(): undefined {
  return undefined;
}
