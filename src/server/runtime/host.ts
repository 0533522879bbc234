/** Decides which addresses to listen on, and whether other machines can reach them. */

/** Whether only programs on this machine can connect to the host. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Returns the host of a URL without the brackets of an IPv6 address, as functions of sockets take it. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** Returns both addresses of `localhost`, because some programs try only one of them. */
export function listeningHosts(host: string): readonly string[] {
  return host === "localhost" ? ["127.0.0.1", "::1"] : [host];
}
