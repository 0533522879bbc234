/** Requires what a browser gives only to pages that nothing has changed on the way. */

/** Throws if the page has no WebCrypto, with which the server signs. */
export function requireSecureContext(): void {
  const { crypto, location } = globalThis as typeof globalThis & {
    readonly location?: { readonly origin: string };
  };
  if ((crypto as Partial<Crypto>).subtle !== undefined) return;
  throw new TypeError(
    `Cannot create a server in a page of ${location?.origin}, because browsers give WebCrypto to https and to ` +
      "localhost only: open the page at one of them",
  );
}
