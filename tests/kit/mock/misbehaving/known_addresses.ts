/** Addresses that a look-alike has. */
import { lookAlikes } from "../../../../src/kit/faults/look_alikes/look_alikes.ts";
import { listOrigins } from "../../../../src/kit/faults/look_alikes/provider_hosts.ts";
import { type LookAlikeName, providers } from "../../../../src/kit/faults/look_alikes/providers.ts";

/** Returns an address at each host of the provider. */
export function listKnown(name: LookAlikeName): readonly string[] {
  const { endpoints, aliases = {}, leads = [] } = lookAlikes[name].addresses(providers[name].host);
  return listOrigins(name).map((origin) => {
    const asked = aliases[origin] ?? origin;
    // Pages are at the usual host only, to which some of the others lead.
    const { url } = endpoints.find((each) =>
      new URL(each.url).origin === asked &&
      (asked === origin || leads.includes(origin) || each.is !== "authorize")
    )!;
    return origin + url.slice(asked.length);
  });
}

/** Whether the host of the address only leads a browser to the usual one. */
export function isLed(name: LookAlikeName, url: string): boolean {
  const { leads = [] } = lookAlikes[name].addresses(providers[name].host);
  return leads.includes(new URL(url).origin);
}
