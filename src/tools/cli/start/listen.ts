/** Opens the ports of `postern start`: that of the issuer, and the one that asks clients for certificates. */

import { present } from "../../../ground/values/present.ts";
import type { Respond, TlsOptions } from "../../../server/runtime/listener.ts";
import { CannotListen, serve, type Served, type ServeOptions } from "../../../server/runtime/serve.ts";
import type { Store } from "../../../server/store/store.ts";
import { failed } from "../terminal/command_error.ts";
import { needsTestKit } from "./control.ts";
import type { Metrics } from "../metrics/plan_metrics.ts";
import type { Plan } from "./plan.ts";
import type { StartFlags } from "./start_flags.ts";

// In seconds. The test kit reports requests that run longer than 3 s as an error, so the socket closes them before.
const controlDrainTimeout = 2;

/** Holds requests until `release`, so that a program that waits for an answer finds what the start has printed. */
export function holdRequests(answer: Respond): { readonly answer: Respond; readonly release: () => void } {
  let release = () => {};
  let held: Promise<void> | undefined = new Promise((resolve) => {
    release = () => {
      held = undefined;
      resolve();
    };
  });
  return {
    answer: (request) => held === undefined ? answer(request) : held.then(() => answer(request)),
    release,
  };
}

interface ListenOptions {
  readonly flags: StartFlags;
  readonly tls: TlsOptions | undefined;
  readonly store: Store;
  readonly metrics: Metrics | undefined;
}

export async function listen(plan: Plan, answer: Respond, options: ListenOptions): Promise<Served> {
  const { flags, tls, store, metrics } = options;
  const { host, port, configuration, settings: { otherPort } } = plan;
  const tracked = metrics?.track(answer) ?? answer;
  const { clientCertHeader: certificateHeader } = configuration;
  const shared = {
    host,
    ...present({ tls }),
    ...(needsTestKit(flags) ? { closesOnFailure: true, drainTimeout: controlDrainTimeout } as const : {}),
  };
  try {
    const served = await openPort({
      ...shared,
      port,
      answer: metrics === undefined
        ? answer
        : async (request) => metrics.answer(request) ?? await tracked(request),
      ...present({ trustedProxies: flags["trust-proxy"]?.split(","), certificateHeader }),
    }, "port");
    if (otherPort === undefined) return served;
    const other = { ...shared, port: otherPort.port, answer: tracked, asksForCertificate: true } as const;
    return join(
      served,
      await openPort(other, "mtls-port").catch(async (error) => {
        await served.close();
        throw error;
      }),
    );
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openPort(options: ServeOptions, portFlag: keyof StartFlags): Promise<Served> {
  try {
    return await serve(options);
  } catch (error) {
    if (!(error instanceof CannotListen)) throw error;
    const { option } = error;
    const flag = option === undefined ? "" : ` with --${option === "port" ? portFlag : option}`;
    throw failed(error.message + flag, error);
  }
}

function join(first: Served, second: Served): Served {
  return {
    port: first.port,
    async drain(options) {
      await Promise.all([first.drain(options), second.drain(options)]);
    },
    replaceCertificate(tls) {
      first.replaceCertificate(tls);
      second.replaceCertificate(tls);
    },
    close: async () => (await Promise.all([first.close(), second.close()])).every(Boolean),
  };
}
