/** `postern start --like PROVIDER --proxy`: programs that use the proxy meet this server at the hosts of the provider. */

import { join } from "node:path";
import process from "node:process";
import type { Respond, TlsOptions } from "../../../server/runtime/listener.ts";
import { serve, type Served } from "../../../server/runtime/serve.ts";
import type { BannerAddition } from "../start/banner.ts";
import { failed } from "../terminal/command_error.ts";
import type { Log } from "../start/log.ts";
import { findProviderAuthority, type System } from "../tls/authority_place.ts";
import { openTlsOf, type Times } from "../tls/own_tls.ts";
import { describeProxy } from "./describe_proxy.ts";
import { listenAsProxy, type ProxyTerms } from "./listen_as_proxy.ts";
import { originsOf, type ProxyPlan } from "./plan_proxy.ts";
import { writeTrustBundle } from "./trust_bundle.ts";

export interface OpenProxy {
  readonly addition: BannerAddition;
  close(): Promise<void>;
}

interface ProxyOptions extends Times, Pick<ProxyTerms, "isClaimed" | "onRefused"> {
  readonly write: Log["write"];
  readonly system?: System;
}

// In seconds, as for the server itself when it has a test kit.
const drainTimeout = 2;

export async function openProxy(
  plan: ProxyPlan,
  answer: Respond,
  { write, system = process, isClaimed, onRefused, ...times }: ProxyOptions,
): Promise<OpenProxy> {
  const hosts = originsOf(plan).map((origin) => new URL(origin).hostname);
  const place = findProviderAuthority({ provider: plan.like, hosts }, system);
  const { tls, certFile, keepRenewed } = await openTlsOf(place, hosts, times);
  const bundle = join(place.folder, "bundle.pem");
  await writeTrustBundle(bundle, certFile);
  let served = await serveOwn(answer, tls);
  const replace = async (renewed: TlsOptions, newCertFile: string) => {
    await writeTrustBundle(bundle, newCertFile);
    const before = served;
    // On Bun, the certificate of a running server stays the same.
    served = await serveOwn(answer, renewed);
    await before.close();
    const message = "The authority of the proxy is new, so start the programs again that use the proxy";
    write({ level: "warn", message });
  };
  keepRenewed(replace, ({ message }) => write({ level: "error", message }));
  try {
    const proxy = await listenAsProxy({
      ...plan,
      hosts,
      isClaimed,
      onRefused,
      findOwnPort: () => served.port,
    });
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

/** Only the proxy leads here. On loopback, so that TLS is that of the other listeners, on each runtime. */
function serveOwn(answer: Respond, tls: TlsOptions): Promise<Served> {
  return serve({ answer, tls, drainTimeout, host: "127.0.0.1", port: 0, closesOnFailure: true });
}
