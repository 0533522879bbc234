/** The gate: a narrow page that asks one question, or says how it ended. */
/** @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import type { FormProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import { DenyForm } from "../parts.tsx";
import { RequestDetails } from "./request_details.tsx";

interface Gate extends Omit<Page, "shape" | "main"> {
  /** Default: the title. */
  readonly heading?: ComponentChildren;
}

export function gatePage({ heading, ...page }: Gate, ...parts: readonly ComponentChildren[]): Page {
  return { ...page, shape: "gate", main: [<h1 key="heading">{heading ?? page.title}</h1>, ...parts] };
}

interface AskingWords {
  readonly title: string;
  readonly titleAgain?: string;
  readonly heading?: string;
  readonly denyNote: string;
}

/** A page that asks who the person is. The person can deny the request instead. */
export function askingPage(
  { title, titleAgain = title, heading, denyNote }: AskingWords,
  props: FormProps & { readonly problem?: unknown },
  ...parts: readonly ComponentChildren[]
): Page {
  return gatePage(
    { title: props.problem === undefined ? title : titleAgain, heading, scripts: ["form.js"] },
    ...parts,
    <DenyForm props={props} note={denyNote} />,
    <RequestDetails request={props} />,
  );
}
