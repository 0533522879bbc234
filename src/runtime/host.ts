/** Names of the addresses to listen on, and which of them strangers can reach. */

/** Only programs on this machine can connect. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Browsers try both addresses behind the name `localhost`, and other programs only one: be at each. */
export function listeningHosts(host: string): readonly string[] {
  return host === "localhost" ? ["127.0.0.1", "::1"] : [host];
}
