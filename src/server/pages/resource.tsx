/** The demo API, explained to a person who opened its address in a browser. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ResourceProps } from "../oauth/contracts/pages.ts";
import { BreakableAddress } from "./breakable_address.tsx";
import { ExamplesNote, showCommand } from "./callback/token_request_examples.tsx";
import { WalkMessages } from "./callback/walk_messages.tsx";
import type { Page } from "./document.tsx";
import { CodeValue, CopyableBlock, Fact, Section, WayOn } from "./parts.tsx";
import { visible } from "../../ground/values/visible.ts";
import { english as words } from "./words/english.ts";
import { fill } from "../../ground/values/fill.ts";

export function resourcePage(props: ResourceProps): Page {
  const { metadataUrl, challenge, call, needsProof, startUrl, trial, homeUrl } = props;
  return {
    title: words.resource.title,
    homeUrl,
    here: "resource",
    scripts: ["copy.js"],
    styles: ["parts.css", "sheet.css"],
    main: (
      <>
        <h1>{words.resource.title}</h1>
        <p id="lead">{words.resource.lead}</p>
        {trial.people.length > 0 && <Trial {...trial} />}
        <Section id="call" heading={words.resource.call}>
          <ExamplesNote />
          <CopyableBlock id="call" kind={words.callback.shell} what={words.resource.copyCall}>
            {showCommand(call)}
          </CopyableBlock>
          {needsProof && <p id="proof">{fill(words.resource.proofNote, { header: <code>DPoP</code> })}</p>}
          <p>{fill(words.resource.audienceNote, { param: <code>resource</code> })}</p>
        </Section>
        <dl class="facts">
          {challenge !== undefined && (
            <Fact term={<code>WWW-Authenticate</code>}>
              <CodeValue id="challenge" value={challenge} />
            </Fact>
          )}
          <Fact term={words.resource.metadata}>
            <a class="value address" id="metadata" href={new URL(metadataUrl).pathname}>
              <BreakableAddress text={metadataUrl} />
            </a>
          </Fact>
        </dl>
        <p class="onward">
          <WayOn id="start" href={startUrl} isMain={trial.people.length === 0}>{words.walk.apiStart}</WayOn>
          <WayOn id="home" href={homeUrl}>{words.refusal.home}</WayOn>
        </p>
      </>
    ),
  };
}

function Trial({ action, people, username, call }: ResourceProps["trial"]): VNode {
  return (
    <Section id="trial" heading={words.resource.trial}>
      <form method="post" action={action} id="trial">
        <label for="person">{words.resource.person}</label>
        <select id="person" name="person">
          {people.map(({ username: each, name }) => (
            <option key={each} value={each} selected={each === username}>{visible(name ?? each)}</option>
          ))}
        </select>
        <button type="submit" class="button primary" id="try">{words.resource.try}</button>
      </form>
      {call !== undefined && <WalkMessages call={call} keys={undefined} prefix="trial" />}
    </Section>
  );
}
