/** A web page does not load the words of libraries, and its client is the page itself. */

export function LibraryWords(): null {
  return null;
}

export function WhoseChange(): null {
  return null;
}
