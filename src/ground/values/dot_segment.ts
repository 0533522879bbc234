/** The texts that are no names in the path of a URL. */

/** Whether parsers of URLs leave the text out of a path (RFC 3986 §5.2.4), also if it is percent-encoded. */
export function isDotSegment(text: string): boolean {
  return text === "." || text === "..";
}
