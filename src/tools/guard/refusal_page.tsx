/** The page of a refusal that a person sees who may not use the control plane, or who sent a wrong form. */
/** @jsxImportSource preact */

import type { Page } from "../../server/pages/document.tsx";
import { CopyableBlock, headingOf, Outcome } from "../../server/pages/parts.tsx";
import { visible } from "../../ground/values/visible.ts";
import { present } from "../../ground/values/present.ts";
import { english } from "../../server/pages/words/english.ts";

const words = {
  example: "Example, for a POSIX shell",
  expected: "Expected:",
  openDirectly:
    "If you followed a link, type the address of this page into the address bar of a browser on the same machine.",
  useCommands:
    "A browser cannot send the token. These commands read the list of calls, as JSON and as a page:",
  typeOrSend:
    "Type the token here, or send it with each request. These commands read the list of calls, as JSON and as a page:",
  copyCommands: " the commands",
  giveToken: "Type the token",
} as const;

interface ControlRefusalProps {
  readonly status: number;
  readonly description: string;
  readonly expected?: string;
  readonly commands?: string;
  readonly tokenUrl?: string;
  readonly homeUrl: string;
}

export function controlRefusalPage(props: ControlRefusalProps): Page {
  const { status, description, expected, commands, tokenUrl, homeUrl } = props;
  const heading = headingOf(status, english);
  return {
    title: heading,
    homeUrl,
    styles: ["parts.css", "sheet.css"],
    ...present({ scripts: commands === undefined ? undefined : ["copy.js"] }),
    main: (
      <>
        <Outcome heading={heading}>
          <p class="aside" id="status">{english.refused.statusOf(status)}</p>
        </Outcome>
        <p id="description">{visible(description)}.</p>
        <p class="onward">
          {tokenUrl !== undefined && (
            <a class="button primary" id="give-token" href={tokenUrl}>{words.giveToken}</a>
          )}
          <a class="button" id="home" href={homeUrl}>{english.refusal.home}</a>
        </p>
        {expected !== undefined && <p id="expected">{words.expected} {visible(expected)}.</p>}
        <p>
          {commands === undefined
            ? words.openDirectly
            : tokenUrl === undefined
            ? words.useCommands
            : words.typeOrSend}
        </p>
        {commands !== undefined && (
          <CopyableBlock id="commands" kind={words.example} what={words.copyCommands}>
            {commands}
          </CopyableBlock>
        )}
      </>
    ),
  };
}
