/** The page that asks before a sign-out, and the page that shows its result (OpenID Connect RP-Initiated Logout). */
/** @jsxImportSource preact */

import type { SignedOutProps, SignOutProps, TellOutcome } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import { ClientName, EncryptedRequest, personDetail, PersonName } from "../parts.tsx";
import type { Words } from "../words/english.ts";
import { gatePage } from "./gate_page.tsx";
import { fill, fillText } from "../../../ground/values/fill.ts";

export function signOutPage({ action, request, people, client, homeUrl }: SignOutProps, words: Words): Page {
  const { title, heading } = words.signOut;
  return gatePage(
    { title, heading, homeUrl, scripts: ["form.js"] },
    client && <p class="lead">{fill(words.signOut.asks, { client: <ClientName client={client} /> })}</p>,
    <h2 id="people-heading">{words.signOut.people}</h2>,
    <ul class="scopes whole" id="signed-in" aria-labelledby="people-heading">
      {people.map((person) => (
        <li key={person.username}>
          <PersonName person={person} /> <span class="aside">{personDetail(person)}</span>
        </li>
      ))}
    </ul>,
    <form class="decide" method="post" action={action}>
      <EncryptedRequest request={request} />
      <div class="choice">
        <button
          type="submit"
          class="button primary"
          id="sign-out"
          name="decision"
          value="sign_out"
          aria-describedby="sign-out-note"
        >
          {people.length > 1 ? words.signOut.signOutAll : words.signOut.signOut}
        </button>
        <button type="submit" class="button" id="stay" name="decision" value="stay">
          {words.signOut.stay}
        </button>
      </div>
      <p class="aside" id="sign-out-note">{words.signOut.note}</p>
    </form>,
  );
}

export function signedOutPage({ outcome, homeUrl, told = [] }: SignedOutProps, words: Words): Page {
  const { heading, text } = words.signedOut[outcome];
  return gatePage(
    { title: heading, homeUrl },
    <p class="lead" id="outcome">{text}</p>,
    told.length > 0 && (
      <>
        <h2 id="told-heading">{words.signedOut.told}</h2>
        <ul class="told-clients" id="told" aria-labelledby="told-heading">
          {told.map(({ client, outcome }, at) => (
            <li key={at}>
              <ClientName client={client} /> {describeOutcome(outcome, words)}
            </li>
          ))}
        </ul>
      </>
    ),
    <p class="onward">
      <a class="button" id="home" href={homeUrl}>{words.signedOut.home}</a>
    </p>,
  );
}

function describeOutcome(outcome: TellOutcome, { signedOut: { outcomes } }: Words): string {
  return fillText(outcomes[outcome.kind], outcome.kind === "refused" ? { status: outcome.status } : {});
}
