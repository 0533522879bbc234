/** `postern start --workload`: the addresses at which programs get tokens as from the platforms that run them. */

import type { Mock } from "../../../kit/mock/mock.ts";
import { type WorkloadPlatform, workloadPlatforms } from "../../../kit/mock/workloads/names.ts";
import { platforms } from "../../../kit/mock/workloads/platforms.ts";
import type { Workload } from "../../../kit/mock/workloads/workload.ts";
import { startCurl } from "../../../server/client/write_request.ts";
import { present } from "../../../ground/values/present.ts";
import { createCommandWords } from "../../../ground/values/quote_word.ts";
import type { BannerAddition } from "./banner.ts";
import { CommandError } from "../terminal/command_error.ts";

/** A platform, and the subject of its tokens if the flag has one. */
interface Wanted {
  readonly platform: WorkloadPlatform;
  readonly sub: string | undefined;
}

/** The addresses begin with `baseUrl`, for programs that reach the server by another name, or else with the issuer. */
export async function openWorkloads(
  text: string,
  mock: Mock,
  baseUrl: string | undefined,
): Promise<BannerAddition> {
  const opened = [];
  for (const wanted of text.split(",").map(readWanted)) {
    opened.push({ ...wanted, workload: await open(wanted, mock) });
  }
  return {
    title: "Workload",
    lines: opened.flatMap(({ platform, workload: { issuer } }) => [
      issuer,
      `It issues tokens as ${platforms[platform].title} does.`,
    ]),
    copied: opened.flatMap(({ platform, workload }) =>
      describeRequest(platform, workload).map((line) =>
        baseUrl === undefined ? line : line.replace(new URL(mock.issuer).origin, new URL(baseUrl).origin)
      )
    ),
    members: { workloads: opened.map(({ platform, workload: { issuer } }) => ({ platform, issuer })) },
  };
}

function readWanted(text: string): Wanted {
  const [name = "", ...rest] = text.split("=");
  const platform = workloadPlatforms.find((each) => each === name)!;
  return { platform, sub: rest.length === 0 ? undefined : rest.join("=") };
}

async function open({ platform, sub }: Wanted, mock: Mock): Promise<Workload> {
  // A request without an audience then gets a token for this server, also where the platform has no usual audience.
  const { audience: { find } } = platforms[platform];
  try {
    return await mock.workload(
      platform,
      present({ sub, audience: find === undefined ? mock.issuer : undefined }),
    );
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`--workload: ${error.message}`, { cause: error });
  }
}

function describeRequest(
  platform: WorkloadPlatform,
  { env, request: { url, bearer } }: Workload,
): readonly string[] {
  const { title } = platforms[platform];
  const { quote, notes } = createCommandWords("posix");
  const place = "the address of its tokens";
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value, "VALUE", place)}`);
  if (variables.length > 0) {
    return [`# A program that runs in ${title}, in a POSIX shell:`, ...notes, ...variables];
  }
  const header = quote(`Authorization: Bearer ${bearer}`, "HEADER", place);
  const command = `${startCurl(url)} -sH ${header} ${
    quote(`${url}?audience=https://api.example`, "URL", place)
  }`;
  return [`# A token of ${title}, in a POSIX shell:`, ...notes, command];
}
