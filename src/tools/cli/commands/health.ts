/** `postern health`: checks that a server is running, or that it is ready, or waits for it. */

import { paths } from "../../../server/oauth/contracts/paths.ts";
import { visible } from "../../../ground/values/visible.ts";
import { parseDuration } from "../../../ground/schema/duration.ts";
import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import { sendRequest } from "../client/send_request.ts";
import { portFlag, readServerFlags, urlFlag } from "../client/server_flags.ts";
import { printText } from "../terminal/print_text.ts";

export const health: Command = createCommand({
  usage: "health [flags]",
  summary: "Check that a server is running or ready, or wait for it.",
  notes: () => "The exit code is 0 if the server works, and 1 if it does not.",
  flags: {
    issuer: {
      ...urlFlag,
      help: `The server: its issuer, or another address that it listens on. Default: ${defaultIssuer}.`,
    },
    port: portFlag,
    ready: {
      help: "Ask /ready instead of /health: whether the store answers, and the server is not about to stop.",
    },
    wait: {
      value: "SECONDS",
      help: "Try again for this time if the server does not work yet: 30, or 2m. Default: 0.",
      accepts: (value: string) => readSeconds(value) !== undefined,
      expected: "a number of seconds, or a time such as 2m",
    },
  },
  async run({ flags }) {
    const { wait = "0" } = flags;
    const issuer = readServerFlags(flags) ?? defaultIssuer;
    const probe = flags.ready ? readyProbe : aliveProbe;
    await waitFor(probe, issuer, readSeconds(wait)!);
    printText(`${issuer} ${probe.success}`);
  },
});

function readSeconds(text: string): number | undefined {
  const seconds = /^\d+$/.test(text) ? Number(text) : parseDuration(text);
  return seconds !== undefined && seconds >= 0 && seconds <= longestWait ? seconds : undefined;
}

interface Probe {
  readonly path: string;
  readonly status: string;
  readonly success: string;
}

const aliveProbe: Probe = { path: paths.health, status: "ok", success: "works" };
const readyProbe: Probe = { path: paths.ready, status: "ready", success: "is ready" };

// In seconds.
const longestWait = 24 * 3600;
const pause = 0.2;
const answerTimeout = 5;

/** Rejects with the last failure when the time is over, and immediately if the server has another issuer. */
async function waitFor(probe: Probe, issuer: string, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await requireSuccess(probe, issuer);
    } catch (error) {
      if (error instanceof OtherIssuer || performance.now() + pause * 1000 > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
  }
}

/** The path of the issuer is wrong. Waiting does not change that. */
class OtherIssuer extends CommandError {}

async function requireSuccess({ path, status: expected }: Probe, issuer: string): Promise<void> {
  const url = issuer.replace(/\/$/, "") + path;
  const response = await sendRequest(url, { headers: { accept: "application/json" } }, {
    timeout: answerTimeout,
  });
  const members: Readonly<Record<string, unknown>> | undefined = await response.json().catch(() => undefined);
  const { status, error_description: problem } = members ?? {};
  if (response.ok && status === expected) return;
  const [hint] = typeof problem === "string" ? /Did you mean \S+\?/.exec(problem) ?? [] : [];
  if (response.status === 404 && url.endsWith(path + path)) {
    throw new OtherIssuer(
      `${url} answers 404: leave ${path} out of --issuer, because this command adds it`,
      { exitCode: 1 },
    );
  }
  if (response.status === 404 && hint !== undefined) {
    throw new OtherIssuer(`the server at ${url} has another issuer. ${visible(hint)}`, { exitCode: 1 });
  }
  throw failed(
    typeof problem === "string" && response.status >= 500
      ? `${url} answers ${response.status}: ${visible(problem)}`
      : `${url} answers ${response.status}: this is another server, or the issuer has another path`,
  );
}
