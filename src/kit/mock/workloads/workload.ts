/** `as.workload`: a token as a well-known platform gives it to a workload. The platform's issuer is a tenant. */

import { randomText } from "../../../ground/crypto/bytes.ts";
import { createExchange } from "../../../server/oauth/contracts/exchange.ts";
import { nearest } from "../../../ground/schema/nearest.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { createPlainRequest } from "../client/plain_request.ts";
import type { RunningTenant, TenantTerms } from "../running_tenant.ts";
import type { MockOptions } from "../terms/mock_options.ts";
import { mintWorkload } from "./mint_workload.ts";
import { type WorkloadPlatform, workloadPlatforms } from "./names.ts";
import type { Platform } from "./platform.ts";
import { becomePlatform, requestPath } from "./platform_feature.ts";
import { platforms } from "./platforms.ts";
import { type CheckedOptions, readWorkloadOptions, type WorkloadTerms } from "./workload_terms.ts";
import { present } from "../../../ground/values/present.ts";

/** The token of a workload, and where the workload gets more. */
export interface Workload {
  /** The token that the platform gives to the workload. */
  readonly token: string;
  /** The issuer of the token. It is that of a tenant with the name of the platform. */
  readonly issuer: string;
  /** Where the keys of the issuer are. Its discovery document says so, too. */
  readonly jwksUri: string;
  /** Where the workload gets more tokens: a GET with `Authorization: Bearer`, and the parameter `audience`. */
  readonly request: { readonly url: string; readonly bearer: string };
  /**
   * The environment variables with which a program of the platform gets its tokens. Only GitHub Actions has such
   * variables.
   */
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningPlatform {
  readonly running: RunningTenant;
  /** The workloads, by their bearers. A reset keeps them, because a pipeline keeps its variables. */
  readonly workloads: Map<string, CheckedOptions>;
}

interface WorkloadContext {
  readonly options: MockOptions;
  readonly root: RunningTenant;
  /** Creates a tenant that inherits no options of the mock. Returns `undefined` if a tenant with this name is open. */
  readonly createOwn: (
    name: string,
    own: Required<Pick<TenantTerms, "options" | "changeFeatures">>,
  ) => RunningTenant | undefined;
  readonly platforms: Map<WorkloadPlatform, RunningPlatform>;
}

export async function workload(
  name: WorkloadPlatform,
  terms: WorkloadTerms,
  context: WorkloadContext,
): Promise<Workload> {
  requirePlatform(name);
  const platform = platforms[name];
  const read = readWorkloadOptions(terms, platform);
  const { running, workloads } = openPlatform(name, platform, context);
  const { services } = running;
  const { settings: { issuer }, random, now } = services;
  const url = `${issuer}${requestPath}`;
  const exchange = createExchange(createPlainRequest({ url }), {
    receivedAt: now(),
    random,
    hasJournal: true,
  });
  const token = await mintWorkload(platform, read, undefined, exchange, services);
  const bearer = randomText(random, 32);
  workloads.set(bearer, read);
  return {
    token,
    issuer,
    jwksUri: issuer + platform.jwksPath,
    request: { url, bearer },
    env: nameVariables(platform, url, bearer),
  };
}

function requirePlatform(name: unknown): void {
  if (workloadPlatforms.some((each) => each === name)) return;
  const text = typeof name === "string" ? name.toLowerCase() : "";
  const guess = workloadPlatforms.find((each) => text !== "" && each.startsWith(text)) ??
    nearest(text, workloadPlatforms);
  throw new TypeError(
    `Cannot mint a token of ${describeValue(name)}: expected one of ${workloadPlatforms.join(", ")}${
      guess === undefined ? "" : `. Did you mean ${guess}?`
    }`,
  );
}

function openPlatform(
  name: WorkloadPlatform,
  platform: Platform,
  { options, root, createOwn, platforms }: WorkloadContext,
): RunningPlatform {
  const known = platforms.get(name);
  if (known?.running.isClosed === false) return known;
  const workloads = new Map<string, CheckedOptions>();
  const running = createOwn(name, {
    options: chooseOptions(platform, options, root),
    changeFeatures: becomePlatform(platform, workloads),
  });
  if (running === undefined) {
    throw new TypeError(
      `Cannot mint a token of ${platform.title}: the tenant ${name} exists already, and it is an authorization server. ` +
        "Give that tenant another name",
    );
  }
  const opened = { running, workloads };
  platforms.set(name, opened);
  return opened;
}

/** The clock of the mock drives that of the platform, which a test can turn further. */
function chooseOptions(
  { alg }: Platform,
  { seed, signingKeys, journal, fetch, also, allowPrivateHttp }: MockOptions,
  { clock }: RunningTenant,
): MockOptions {
  return {
    ...present({ seed, signingKeys, journal, fetch, also, allowPrivateHttp }),
    alg,
    clients: [],
    people: [],
    time: () => clock.now,
  };
}

/** `@actions/core` appends `&audience=`, so the address has a query. */
function nameVariables({ variables }: Platform, url: string, bearer: string): Workload["env"] {
  if (variables === undefined) return {};
  return { [variables.url]: `${url}?api-version=2.0`, [variables.bearer]: bearer };
}
