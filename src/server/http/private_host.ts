/** Recognises hosts that the public internet does not reach. */

// A name without a dot is a name of the local network, for example of a container. The public DNS has none of the others.
const privateName =
  /^(?:[a-z0-9_-]+|(?:[a-z0-9_-]+\.)+(?:localhost|test|example|invalid|local|internal|home\.arpa))$/;

const privateAddresses: readonly RegExp[] = [
  /^127(?:\.\d+){3}$/,
  // RFC 1918.
  /^10(?:\.\d+){3}$/,
  /^172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}$/,
  /^192\.168(?:\.\d+){2}$/,
  // RFC 6598, the addresses of overlay networks.
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2}$/,
  // RFC 4193.
  /^\[f[cd][0-9a-f]{2}:[0-9a-f:]*\]$/,
];

/**
 * Whether a host name, as a URL parser returns it, is a private address or a name that no public server can have (RFC
 * 6761, RFC 6762, RFC 8375, and `.internal`).
 */
export function isPrivateHost(hostname: string): boolean {
  return privateName.test(hostname) || privateAddresses.some((addresses) => addresses.test(hostname));
}
