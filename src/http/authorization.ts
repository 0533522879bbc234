/** An access token as the Authorization header carries it (RFC 6750 §2.1, RFC 9449 §7.1). */

export interface PresentedToken {
  /** One of the schemes that the resource takes, as the resource spells it. */
  readonly scheme: string;
  /** Absent: the header names the scheme, but holds no token that can be read, or several. */
  readonly text?: string;
}

const oneToken = /^([\w-]+) +([A-Za-z0-9._~+/-]+=*) *$/;

/** `undefined`: the header is about something else. */
export function parseAuthorization(header: string, schemes: readonly string[]): PresentedToken | undefined {
  const [, name, text] = oneToken.exec(header) ?? [];
  const scheme = name === undefined ? undefined : findScheme(name, schemes);
  if (scheme !== undefined) return { scheme, text: text! };
  // Also behind a comma, where headers of one name were joined: one token too many.
  for (const part of header.split(",")) {
    const named = findScheme(/^ *([^ ]*)/.exec(part)![1]!, schemes);
    if (named !== undefined) return { scheme: named };
  }
  return undefined;
}

/** RFC 9110 §11.1: schemes are not case-sensitive. */
function findScheme(name: string, schemes: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  return schemes.find((scheme) => scheme.toLowerCase() === wanted);
}
