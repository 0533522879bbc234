/** The addresses to listen on, and which of them other machines can reach. */

/** Only programs on this machine can connect. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Some programs try only one of the two addresses of `localhost`, so the server listens on both. */
export function listeningHosts(host: string): readonly string[] {
  return host === "localhost" ? ["127.0.0.1", "::1"] : [host];
}
