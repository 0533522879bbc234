/** The tokens of HTTP: the names of headers and of methods (RFC 9110 §5.6.2). */

/** The pattern of a token. */
export const token = "[\\w!#$%&'*+.^`|~-]+";

const wholeToken = new RegExp(`^${token}$`);

export function isToken(text: string): boolean {
  return wholeToken.test(text);
}
