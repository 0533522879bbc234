/** Loads jose, which a server needs only to verify a signature and to encrypt. */

/** What the server uses of jose. */
export type Jose = Pick<
  typeof import("jose"),
  "compactDecrypt" | "CompactEncrypt" | "compactVerify" | "decodeProtectedHeader" | "errors"
>;

export async function loadJose(): Promise<Jose> {
  return await import("jose");
}
