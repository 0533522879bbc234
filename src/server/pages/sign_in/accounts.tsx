/** The account page: several people are signed in, and the user chooses who answers the request. */
/** @jsxImportSource preact */

import type { AccountsProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import { EncryptedRequest, PeopleButtons, WhoAsks } from "../parts.tsx";
import { askingPage } from "./gate_page.tsx";
import type { Words } from "../words/english.ts";

export function accountsPage(props: AccountsProps, words: Words): Page {
  return askingPage(
    words.accounts,
    props,
    <WhoAsks props={props} />,
    <form class="pick" method="post" action={props.action} aria-labelledby="accounts-heading">
      <h2 id="accounts-heading">{words.accounts.people}</h2>
      <EncryptedRequest request={props.request} />
      <PeopleButtons name="account" people={props.people} leads />
      <button type="submit" class="button" id="another-person" name="account" value="">
        {words.accounts.anotherPerson}
      </button>
    </form>,
  );
}
