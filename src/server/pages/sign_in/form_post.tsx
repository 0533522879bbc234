/** A form that sends itself to the client (OAuth 2.0 Form Post Response Mode §2). */
/** @jsxImportSource preact */

import type { FormPostProps } from "../../oauth/contracts/pages.ts";
import { readDestination, Uri } from "./destination.tsx";
import type { Page } from "../document.tsx";
import type { Words } from "../words/english.ts";
import { gatePage } from "./gate_page.tsx";
import { fill } from "../../../ground/values/fill.ts";

export function formPostPage(props: FormPostProps, words: Words): Page {
  const destination = readDestination(props.action);
  const { title, heading, aboutApp, about, stuck, proceed } = words.formPost;
  return gatePage(
    { title, heading, scripts: ["form_post.js"] },
    <p class="lead">
      {destination?.kind === "app"
        ? fill(aboutApp, { scheme: <strong class="host">{destination.scheme}</strong> })
        : fill(about, {
          host: destination ? <strong class="host">{destination.host}</strong> : <Uri uri={props.action} />,
        })}
    </p>,
    <form id="form-post" method="post" action={props.action}>
      {props.params.map(([name, value], at) => <input key={at} type="hidden" name={name} value={value} />)}
      <p class="aside">{stuck}</p>
      <button type="submit" class="button primary" id="continue">{proceed}</button>
    </form>,
  );
}
