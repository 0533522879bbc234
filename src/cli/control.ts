/** `postern start --control`: a server that tests in any language control over HTTP. */

import { controlTokenForm, isControlToken } from "../control/control_token.ts";
import { generateSigningJwk } from "../crypto/crypto_key.ts";
import { type Jwk, signingAlgorithms } from "../crypto/jwk.ts";
import { isLoopbackUri } from "../oauth/clients/redirect_uri.ts";
import type { Journal } from "../oauth/journal.ts";
import type { Settings } from "../oauth/settings.ts";
import { isLoopbackHost } from "../runtime/host.ts";
import type { ClientMetadata } from "../setup/client_metadata.ts";
import { acceptsFirstUse } from "../setup/server_options.ts";
import type { ControlSummary } from "./banner.ts";
import { CommandError } from "./command_error.ts";
import { describeReach, type Plan } from "./plan.ts";
import type { AnsweringServer } from "./replaceable_server.ts";

/** An alternative to the flag, because other users of this machine can read a command line. */
export const controlTokenVariable = "POSTERN_CONTROL_TOKEN";

/** Returns the token of the flag or, if the flag has none, that of the environment variable. */
export function readControlFlag(
  flag: string | true | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | true | undefined {
  const given = environment[controlTokenVariable];
  if (flag !== true || given === undefined) return flag;
  if (isControlToken(given)) return given;
  throw new CommandError(
    given === ""
      ? `${controlTokenVariable} is empty: set it to a token of ${controlTokenForm}, or unset it`
      : `${controlTokenVariable} must be a token of ${controlTokenForm}`,
    2,
  );
}

export interface ControlFlags {
  readonly control?: string | true;
  readonly store?: string;
  readonly watch?: true;
}

// In characters. A caller on another machine must not be able to guess the token.
const shortestToken = 16;

/** Refuses flags that contradict --control, and a missing token where other machines can reach the server. */
export function requireFitForControl(
  { control, store = "memory", watch }: ControlFlags,
  plan: Plan,
): void {
  if (store !== "memory") {
    throw new CommandError(
      `--control keeps everything in memory, so that a reset can undo everything: remove --store ${store}`,
      2,
    );
  }
  if (watch) {
    throw new CommandError(
      "--watch would undo changes of people and clients made through --control: use one of the two",
      2,
    );
  }
  const { host, isReached, settings: { issuer } } = plan;
  if (!isReached || typeof control === "string" && control.length >= shortestToken) return;
  throw new CommandError(
    `${describeReach(host, issuer)}, so --control needs a token of ${shortestToken} characters or more`,
    2,
  );
}

export interface ControlTerms {
  readonly token: string | undefined;
  readonly journal?: Journal;
}

/** Creates a test kit with its control plane. The result answers the requests of both. */
export async function launchControlled(
  { configuration, settings, host }: Plan,
  { token, journal }: ControlTerms,
): Promise<AnsweringServer> {
  const { createControlledMock } = await import("../mock/mock.ts");
  const { createControl } = await import("../control/control.ts");
  const demoClients = configuration.clients === undefined ? listClients(settings) : [];
  const mock = await createControlledMock({
    ...configuration,
    clients: configuration.clients ?? demoClients,
    firstUse: acceptsFirstUse(configuration),
    ...(journal === undefined ? {} : { journal }),
    // The keys of the test kit are published: with them, a program without the control token could sign tokens.
    ...(token === undefined ? {} : { signingKeys: await createKeys() }),
  }, demoClients);
  const control = createControl(mock, {
    ...(token === undefined ? {} : { token }),
    // Requests through a proxy are accepted if other machines can reach the server: they need the token.
    open: token !== undefined && (!isLoopbackHost(host) || !isLoopbackUri(settings.issuer)),
  });
  return {
    answer: (request) => control.answer(request) ?? mock.answer(request),
    close: () => mock.close(),
  };
}

/** Returns the clients that the banner lists, including the demo clients. */
function listClients({ clients }: Settings): readonly ClientMetadata[] {
  return [...clients.values()].map(({ id, name, demoSecret, redirectUris, allowsPrivateHttp }) => ({
    client_id: id,
    redirect_uris: redirectUris,
    ...(name === undefined ? {} : { client_name: name }),
    ...(demoSecret === undefined ? {} : { client_secret: demoSecret }),
    ...(allowsPrivateHttp ? { allow_private_http: true } : {}),
  }));
}

/** Creates a key for each algorithm, because a client may ask for any of them. */
function createKeys(): Promise<readonly Jwk[]> {
  return Promise.all(signingAlgorithms.map(async (alg) => ({ ...await generateSigningJwk(alg), alg })));
}

/** Summarises the control plane for the banner. */
export function summariseControl(
  { settings, host }: Plan,
  { listensAt, secure, token }: {
    readonly listensAt: string;
    readonly secure: boolean;
    readonly token: string | undefined;
  },
): ControlSummary {
  const origin = isLoopbackHost(host)
    ? `${secure ? "https" : "http"}://${listensAt}`
    : new URL(settings.issuer).origin;
  return { url: `${origin}/_postern`, needsToken: token !== undefined };
}
