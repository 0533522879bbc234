/** Resets, stops and closes a tenant, and switches on what its options name. */

import { present } from "../../ground/values/present.ts";
import type { RunningMock } from "./running_mock.ts";
import type { RunningTenant } from "./running_tenant.ts";
import { closeServers, replaceState } from "./server/serving.ts";
import { describeTenant } from "./server/tenant_name.ts";

/** Restores the initial state. Running requests fail. */
export function resetTenant(running: RunningTenant, { resources }: RunningMock): void {
  const { terms: { records }, name, directories, registered, documents, activeList } = running;
  const { conditions: { hooks, decisions, clock, gates }, runningRequests, recorder } = running;
  running.requireOpen();
  activeList.clear();
  hooks.clear();
  decisions.clear();
  clock.reset();
  directories.people.restore();
  directories.clients.restore();
  registered.clear();
  documents.clear();
  records.clear(name);
  replaceState(running);
  runningRequests.forget();
  recorder.endWaiting(`the ${describeTenant(name).noun} was reset`);
  // The gates are cleared after the reset, so that the requests which they held fail instead of changing old records.
  gates.clear();
  recorder.clear();
  running.serving.lastReset = { at: clock.serverNow() };
  startWrong(running);
  for (const resource of resources.of(running)) resource.reset();
  resources.removeRoutes(running);
}

/** Switches on what the options name. */
export function startWrong({ terms, switchedOn }: RunningTenant): void {
  const { misbehave: names = [], lookLike: provider } = terms.options;
  // The hosts of the provider belong to the mock itself, because the tenants inherit its options.
  if (provider !== undefined) {
    switchedOn.lookLike(provider, present({ host: terms.likeHost }), terms.name === "");
  }
  for (const name of names) switchedOn.misbehave(name, {});
}

/**
 * Refuses new requests, switches off what is wrong, and removes the routes of the test. Ends all waiting at gates and in
 * the journals of the tenant and its APIs.
 */
export function stopTenant(running: RunningTenant, { resources }: RunningMock): void {
  const { noun, closedClause } = describeTenant(running.name);
  running.activeList.clear();
  running.serving.isStopped = true;
  running.conditions.gates.clear();
  running.recorder.close(`the ${noun} ${closedClause}`);
  for (const { close } of resources.of(running)) close("the mock was disposed of");
  resources.removeRoutes(running);
}

/** Stops the tenant and waits for running requests. Rejects if a request does not end within three seconds. */
export function closeTenant(running: RunningTenant, mock: RunningMock): Promise<void> {
  if (!running.serving.isStopped) stopTenant(running, mock);
  return running.serving.closing ??= endTenant(running, mock);
}

async function endTenant(running: RunningTenant, { tenants }: RunningMock): Promise<void> {
  const { name, runningRequests } = running;
  try {
    await runningRequests.finish(`close the ${describeTenant(name).noun}`);
    await closeServers(running);
  } finally {
    // A new tenant may have the name by now.
    if (tenants.get(name) === running) tenants.delete(name);
  }
}
