/** `postern start --like PROVIDER --proxy`: programs that use the proxy meet this server at the hosts of the provider. */

import { join } from "node:path";
import process from "node:process";
import type { Respond } from "../../../server/runtime/listener.ts";
import { serve } from "../../../server/runtime/serve.ts";
import type { BannerAddition } from "../banner.ts";
import { failed } from "../command_error.ts";
import { findProviderAuthority } from "../tls/authority_place.ts";
import { openTlsOf } from "../tls/own_tls.ts";
import { describeProxy } from "./describe_proxy.ts";
import { listenAsProxy } from "./listen_as_proxy.ts";
import type { ProxyPlan } from "./plan_proxy.ts";
import { writeTrustBundle } from "./trust_bundle.ts";

export interface OpenProxy {
  readonly addition: BannerAddition;
  close(): Promise<void>;
}

// In seconds, as for the server itself when it has a test kit.
const drainTimeout = 2;

export async function openProxy(plan: ProxyPlan, answer: Respond): Promise<OpenProxy> {
  const hosts = plan.origins.map((origin) => new URL(origin).hostname);
  const place = findProviderAuthority({ provider: plan.like, hosts }, process);
  const { folder, certFile } = place;
  const { tls, keepRenewed } = await openTlsOf(place, hosts);
  const bundle = join(folder, "bundle.pem");
  await writeTrustBundle(bundle, certFile);
  // Only the proxy leads here. On loopback, so that TLS is that of the other listeners, on each runtime.
  const served = await serve({
    ...{ answer, tls, drainTimeout },
    host: "127.0.0.1",
    port: 0,
    closesOnFailure: true,
  });
  keepRenewed(served.replaceCertificate);
  try {
    const proxy = await listenAsProxy({ ...plan, hosts, ownPort: served.port });
    return {
      addition: describeProxy(plan, { hosts, bundle, certFile, cert: tls.cert }),
      close: () => proxy.close(served.close()),
    };
  } catch (cause) {
    await served.close();
    const { message } = cause as Error;
    throw failed(`Cannot listen at port ${plan.port} of --proxy, so choose another one: ${message}`, cause);
  }
}
