/**
 * The pass of a page: the second value beside the cookie of a session, which shows secrets and allows changes. Forms
 * carry it in hidden fields. A browser without scripts has nothing but forms, so the links of its pages are forms, too.
 */
/** @jsxImportSource preact */

import { type ComponentChildren, createContext, type JSX, type VNode } from "preact";
import { useContext } from "preact/hooks";
import { type EntryLinkProps, LinkContext } from "../../../kit/timeline/entry_link.tsx";
import { present } from "../../../ground/values/present.ts";

export type PagePass =
  /** The browser has opened a session, and the request had no pass of it. A script sends the one of its tab. */
  | { readonly kind: "missing" }
  /** A script, or a form of its page, sent the passes. */
  | { readonly kind: "given"; readonly values: readonly string[] }
  /** A form sent the passes, and the page carries them on. A script keeps them, and opens the address of the page. */
  | { readonly kind: "carried"; readonly values: readonly string[]; readonly address: string };

const PassContext = createContext<PagePass | undefined>(undefined);

export function WithPass(
  { pass, children }: { readonly pass: PagePass | undefined; readonly children: ComponentChildren },
): VNode {
  return (
    <PassContext.Provider value={pass}>
      <LinkContext.Provider value={PageLink}>{children}</LinkContext.Provider>
    </PassContext.Provider>
  );
}

const carrierId = "carry";

/** The hidden fields of a form whose answer needs the pass. */
export function PassFields(): VNode {
  const pass = useContext(PassContext);
  const values = pass === undefined || pass.kind === "missing" ? [] : pass.values;
  return (
    <>
      {values.map((each) => <input key={each} type="hidden" name="pass" value={each} />)}
      {pass?.kind === "carried" && <input type="hidden" name="without_script" value="1" />}
    </>
  );
}

/** The form that every `PageLink` of a page sends if it is a button. */
export function Carrier(): VNode | null {
  const pass = useContext(PassContext);
  return pass?.kind !== "carried" ? null : (
    <form id={carrierId} method="post" action={pass.address}>
      <PassFields />
      <input type="hidden" name="open_page" value="1" />
    </form>
  );
}

interface LinkProps extends EntryLinkProps {
  readonly rel?: "prev" | "next";
  readonly "aria-current"?: "page" | "true" | undefined;
}

/** A link to a page of the dashboard. It is a button if forms carry the pass. */
export function PageLink(props: LinkProps): VNode {
  if (useContext(PassContext)?.kind !== "carried") return <a {...props} />;
  const { href, rel: _rel, class: kind = "as-link", ...rest } = props;
  return <button type="submit" form={carrierId} formaction={href} class={kind} {...rest} />;
}

/** The hidden fields of a form that changes something. */
export function FormToken({ token }: { readonly token: string }): VNode {
  return (
    <>
      <input type="hidden" name="form_token" value={token} />
      <PassFields />
    </>
  );
}

export interface FormTarget {
  readonly action: string;
  readonly token: string;
}

type FormProps = Omit<JSX.IntrinsicElements["form"], "form" | "action" | "method">;

/** A form with its token and other hidden fields. Nothing without a target: the page only shows. */
export function TokenForm(
  { form, fields = {}, children, ...rest }: FormProps & {
    readonly form: FormTarget | undefined;
    readonly fields?: Readonly<Record<string, string>> | undefined;
    readonly children: ComponentChildren;
  },
): VNode | null {
  return form === undefined ? null : (
    <form method="post" action={form.action} {...rest}>
      <FormToken token={form.token} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

export function FileButton(
  { url, id, children }: {
    readonly url: string;
    readonly id?: string;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <form method="post" action={url} class="file">
      <PassFields />
      <button type="submit" class="as-link" {...present({ id })}>{children}</button>
    </form>
  );
}

/** A form such as a filter, which opens a page of the dashboard with its fields in the query. */
export function PageForm(
  { children, ...rest }: JSX.IntrinsicElements["form"] & { readonly children: ComponentChildren },
): VNode {
  const isCarried = useContext(PassContext)?.kind === "carried";
  return (
    <form {...rest} {...present({ method: isCarried ? "post" : undefined })}>
      {isCarried && (
        <>
          <PassFields />
          <input type="hidden" name="open_page" value="1" />
        </>
      )}
      {children}
    </form>
  );
}
