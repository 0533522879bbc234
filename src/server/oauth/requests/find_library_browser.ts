/** A web page does not load the words of libraries: its only client is the page itself. */

export function findLibraries(): undefined {
  return undefined;
}
