/** Loads jose, which a server needs only to verify a signature and to encrypt. */

export async function loadJose(): Promise<typeof import("jose")> {
  return await import("jose");
}
