/** A mock that looks like a provider, its forward proxy, and a Chromium that uses the proxy by the line that a start prints. */

import type { Browser } from "playwright-core";
import type { Mock } from "../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../src/kit/mock/started_mock.ts";
import type { LookAlikeName } from "../../src/kit/faults/look_alikes/providers.ts";
import { listOrigins } from "../../src/kit/faults/look_alikes/provider_hosts.ts";
import { createProxiedAnswer } from "../../src/tools/cli/proxy/answer_proxied.ts";
import { openProxy } from "../../src/tools/cli/proxy/open_proxy.ts";
import { findFreePort } from "../free_port.ts";
import { openBrowser } from "./chromium.ts";

export interface ProxiedChromium extends AsyncDisposable {
  readonly browser: Browser;
  /** Does not look like the provider yet. */
  readonly as: Mock;
}

/** Opens a proxy and a browser for the usual hosts of the provider. */
export async function openProxiedChromium(provider: LookAlikeName): Promise<ProxiedChromium> {
  const stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const started = await createStartedMock({});
  stack.use(started.mock);
  const plan = {
    like: provider,
    host: undefined,
    origins: listOrigins(provider),
    added: [],
    port: await findFreePort(),
    token: undefined,
    passesOthers: false,
  };
  const proxy = await inConfigurationFolder(
    folder,
    () =>
      openProxy(plan, createProxiedAnswer(started, plan), {
        isClaimed: () => false,
        write: () => {},
        onRefused: () => {},
        repeat: () => {},
      }),
  );
  stack.defer(() => proxy.close());
  const line = proxy.addition.copied?.find((each) => each.startsWith("chromium "))!;
  const browser = await openBrowser(line.split(" ").filter((each) => /^--(?:proxy|ignore)-/.test(each)));
  stack.defer(() => browser.close());
  return { browser, as: started.mock, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** The proxy keeps its authority in the configuration folder of the person who runs it. */
async function inConfigurationFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const names = ["XDG_CONFIG_HOME", "APPDATA"];
  const usual = names.map((name) => [name, Deno.env.get(name)] as const);
  for (const name of names) Deno.env.set(name, folder);
  try {
    return await work();
  } finally {
    for (const [name, value] of usual) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}
