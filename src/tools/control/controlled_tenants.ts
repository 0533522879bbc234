/** The tenants of the control plane, each with the hooks, documents, APIs and browsers that callers created over HTTP. */

import { type Browser, createBrowser } from "../../kit/mock/client/browser.ts";
import type { ClientDocument } from "../../kit/mock/client/client_document.ts";
import type { RunningTenant } from "../../kit/mock/running_tenant.ts";
import type { Mock } from "../../kit/mock/mock.ts";
import type { RunningMock, Snapshot } from "../../kit/mock/running_mock.ts";
import type { Resource } from "../../kit/mock/resources/resource.ts";
import type { Tenant } from "../../kit/mock/tenant.ts";
import type { ResourceTerms } from "../../kit/mock/resources/resource_terms.ts";
import { describeKnown } from "../../ground/schema/nearest.ts";
import type { CallerAnswer, JsonAnswer } from "./caller_answer.ts";
import { wrongRequest } from "../guard/control_refused.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { remember } from "../../ground/values/remember.ts";

export interface RegisteredHook {
  readonly body: object;
  readonly used: () => number;
  readonly end: Disposable;
}

export interface RegisteredDocument {
  readonly document: ClientDocument;
  answer?: CallerAnswer | undefined;
}

export interface ResourceTermsBody extends Omit<ResourceTerms, "metadata" | "authorizationServers"> {
  readonly metadata?: string | false;
  readonly authorizationServers?: readonly string[];
  readonly answer?: JsonAnswer;
}

export interface RegisteredResource {
  readonly resource: Resource;
  /** The terms that callers have set. */
  terms: ResourceTermsBody;
}

/** A route of the test, with the answer that a caller has given. */
export interface RegisteredRoute {
  readonly body: object;
  readonly end: Disposable;
}

export interface NamedBrowsers {
  open(name: string): Browser;
  /** Throws if no call has used it. */
  require(name: string): Browser;
  clear(): void;
}

export interface ControlledTenant {
  readonly tenant: Tenant;
  /** The parts of the tenant: its gates, its misbehaviours and its look-alikes, also those that a test created. */
  readonly parts: RunningTenant;
  readonly hooks: Registry<RegisteredHook>;
  readonly documents: Registry<RegisteredDocument>;
  readonly resources: Registry<RegisteredResource>;
  readonly routes: Registry<RegisteredRoute>;
  readonly browsers: NamedBrowsers;
}

export interface ControlledTenants {
  readonly root: ControlledTenant;
  readonly mock: Mock;
  readonly snapshots: Registry<Snapshot>;
  find(name: string): ControlledTenant | undefined;
  /** In the order in which the tenants were created. */
  names(): readonly string[];
  add(name: string, tenant: Tenant): ControlledTenant;
  forget(name: string): void;
  /**
   * If the call created the tenant and is refused, the tenant is removed, unless another call or a request has used it
   * meanwhile.
   */
  run<T>(controlled: ControlledTenant, work: () => T | Promise<T>): Promise<T>;
  /**
   * Forgets the hooks, documents and browsers of a tenant, and removes its APIs. `undefined`: those of the mock itself,
   * and all its tenants.
   */
  clear(name: string | undefined): void;
}

export function createControlledTenants({ mock, partsOf }: RunningMock<Mock>): ControlledTenants {
  const root = createControlledTenant(mock, partsOf(mock));
  const tenants = new Map<string, ControlledTenant>();
  // New tenants with the number of their calls that run or have succeeded.
  const provisional = new WeakMap<ControlledTenant, number>();

  function register(name: string, tenant: Tenant): ControlledTenant {
    const controlled = createControlledTenant(tenant, partsOf(tenant));
    tenants.set(name, controlled);
    return controlled;
  }

  function endFailedCall(controlled: ControlledTenant): void {
    const calls = provisional.get(controlled);
    if (calls === undefined) return;
    provisional.set(controlled, calls - 1);
    if (calls > 1 || controlled.tenant.requests.length > 0) return;
    for (const [name, each] of tenants) if (each === controlled) tenants.delete(name);
    closeSoon(controlled.tenant);
  }

  return {
    root,
    mock,
    snapshots: createRegistry("snapshot"),
    find(name) {
      const known = tenants.get(name);
      if (known !== undefined || !mock.tenants.includes(name)) return known;
      // A request to the server created the tenant.
      return register(name, mock.tenant(name));
    },
    names: () => mock.tenants,
    add(name, tenant) {
      const controlled = register(name, tenant);
      provisional.set(controlled, 0);
      return controlled;
    },
    forget(name) {
      removeResources(tenants.get(name));
      tenants.delete(name);
    },
    async run(controlled, work) {
      const calls = provisional.get(controlled);
      if (calls !== undefined) provisional.set(controlled, calls + 1);
      try {
        // A call that succeeds stays counted, so no later one removes the tenant.
        return await work();
      } catch (error) {
        endFailedCall(controlled);
        throw error;
      }
    },
    clear(name) {
      const controlled = name === undefined ? root : tenants.get(name);
      controlled?.hooks.clear();
      controlled?.documents.clear();
      controlled?.routes.clear();
      controlled?.browsers.clear();
      removeResources(controlled);
      if (name !== undefined) return;
      for (const each of tenants.values()) removeResources(each);
      for (const each of mock.tenants.map((name) => mock.tenant(name))) {
        // A platform of workloads stays, because programs keep the variables with which they get its tokens.
        if (partsOf(each).terms.changeFeatures === undefined) closeSoon(each);
      }
      tenants.clear();
    },
  };
}

/** Closes a tenant without waiting for its running requests, because a held request may never end. */
function closeSoon(tenant: Tenant): void {
  tenant.close().catch(() => {});
}

/** All tenants share the addresses of APIs, so the API of a closed tenant must not keep its address. */
function removeResources(controlled: ControlledTenant | undefined): void {
  for (const [, { resource }] of controlled?.resources.list() ?? []) resource[Symbol.dispose]();
  controlled?.resources.clear();
}

function createControlledTenant(tenant: Tenant, parts: RunningTenant): ControlledTenant {
  return {
    tenant,
    parts,
    hooks: createRegistry("hook"),
    documents: createRegistry("document"),
    resources: createRegistry("resource"),
    routes: createRegistry("route"),
    browsers: createNamedBrowsers(),
  };
}

function createNamedBrowsers(): NamedBrowsers {
  const browsers = new Map<string, Browser>();
  return {
    open: (name) => remember(browsers, name, createBrowser),
    require(name) {
      // Ignores browsers without cookies, because a refused call may have created a browser without using it.
      const used = new Map([...browsers].filter(([, { cookies }]) => cookies.size > 0));
      const browser = used.get(name);
      if (browser !== undefined) return browser;
      throw wrongRequest(
        `No call has used a browser ${JSON.stringify(name)}: ${describeKnown([...used.keys()])}`,
        "a name that was given to login or authorize",
        "browser",
      );
    },
    clear: () => browsers.clear(),
  };
}
