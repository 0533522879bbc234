/** Reads the access token in an Authorization header (RFC 6750 §2.1, RFC 9449 §7.1). */

export interface PresentedToken {
  /** One of the given schemes, in the spelling of the caller. */
  readonly scheme: string;
  /** Absent: the header has the scheme, but no readable token or several tokens. */
  readonly text?: string;
}

const oneToken = /^([\w-]+) +([A-Za-z0-9._~+/-]+=*) *$/;

export function parseAuthorization(header: string, schemes: readonly string[]): PresentedToken | undefined {
  const [, name, text] = oneToken.exec(header) ?? [];
  const scheme = name === undefined ? undefined : findScheme(name, schemes);
  if (scheme !== undefined) return { scheme, text: text! };
  // Looks behind commas as well, because several headers are joined by commas. Two tokens are one too many.
  for (const part of header.split(",")) {
    const foundScheme = findScheme(/ *([^ ]*)/.exec(part)![1]!, schemes);
    if (foundScheme !== undefined) return { scheme: foundScheme };
  }
  return undefined;
}

/** Compares schemes without regard to case (RFC 9110 §11.1). */
function findScheme(name: string, schemes: readonly string[]): string | undefined {
  const lowerCase = name.toLowerCase();
  return schemes.find((scheme) => scheme.toLowerCase() === lowerCase);
}
