/** The account page: several people are signed in, and the user chooses who answers the request. */
/** @jsxImportSource preact */

import type { AccountsProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import { DenyForm, EncryptedRequest, PeopleButtons, WhoAsks } from "../parts.tsx";
import { RequestDetails } from "./request_details.tsx";
import type { Words } from "../words/english.ts";

export function accountsPage(props: AccountsProps, words: Words): Page {
  return {
    title: words.accounts.title,
    shape: "gate",
    scripts: ["form.js"],
    main: (
      <>
        <h1>{words.accounts.heading}</h1>
        <WhoAsks props={props} />
        <form class="pick" method="post" action={props.action} aria-labelledby="accounts-heading">
          <h2 id="accounts-heading">{words.accounts.people}</h2>
          <EncryptedRequest request={props.request} />
          <PeopleButtons name="account" people={props.people} leads />
          <button type="submit" class="button" id="another-person" name="account" value="">
            {words.accounts.anotherPerson}
          </button>
        </form>
        <DenyForm props={props} note={words.accounts.denyNote} />
        <RequestDetails request={props} />
      </>
    ),
  };
}
