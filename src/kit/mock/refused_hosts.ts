/** Hosts that a proxy in front of a mock has refused: the journal has each once, so that a person sees what is missing. */

import { type Address, parseAddress } from "../../ground/http/address.ts";
import type { IncomingRequest } from "../../ground/http/message.ts";
import { createExchange, writeEntry } from "../../server/oauth/contracts/exchange.ts";
import type { JournalEntry } from "../../server/oauth/contracts/journal.ts";
import { type RefusalRows, refusals } from "../../server/oauth/contracts/refusals.ts";
import { refusalJson } from "../../server/oauth/requests/refuse.ts";
import type { RunningMock } from "./running_mock.ts";

const refusal = refusals({
  proxy_host_refused: {
    error: "invalid_request",
    status: 403,
    sentence: "The proxy answers only for {hosts}, and not for {asked}",
    change:
      "If the program needs the host: --proxy-host adds it for routes of your tests, --proxy-others passes it through to the real server, NO_PROXY makes the program ask it by itself, and --like-host names the host of a tenant.",
  },
});

export const refused: RefusalRows = refusal.rows;

// Browsers ask for many hosts of their own.
const mostHosts = 200;

/** The result records a host at its first refusal since the start or the last reset. `hosts` are those of the proxy. */
export function createRefusedHosts(
  { root }: Pick<RunningMock, "root">,
  hosts: readonly string[],
): (origin: string) => void {
  const said = new Set<string>();
  let { lastReset } = root;
  return (origin) => {
    if (lastReset !== root.lastReset) said.clear();
    ({ lastReset } = root);
    const address = parseAddress(`${origin}/`);
    if (address === undefined || said.has(origin) || said.size === mostHosts) return;
    said.add(origin);
    const { clock, services: { random }, recorder, journal } = root;
    const exchange = createExchange(createTunnelRequest(address), {
      receivedAt: clock.now,
      random,
      hasJournal: true,
    });
    exchange.note({ more: { resource: { url: `${origin}/` } } });
    const named = { hosts: hosts.join(", "), asked: address.host };
    const answer = refusalJson(refusal("proxy_host_refused", named), exchange);
    const write = (entry: JournalEntry) => {
      recorder.write(entry, { endpoint: "resource", isLost: false });
      return journal?.(entry);
    };
    writeEntry(write, exchange, answer, clock.now);
  };
}

/** RFC 9110 §9.3.6: the proxy reads no more of it than the host. */
function createTunnelRequest(address: Address): IncomingRequest {
  return {
    ...{ method: "CONNECT", address, peer: undefined },
    header: () => undefined,
    headers: () => [],
    readBody: () => Promise.resolve({ text: "" }),
  };
}
