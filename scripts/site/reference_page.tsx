/** The index of the reference: each page with its sections. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import { writeDocument } from "./document.tsx";
import { relativePath, type SitePage } from "./read_pages.ts";

const path = "reference.html";

export function writeReferencePage(pages: readonly SitePage[]): string {
  const first = pages.filter(({ section, part }) => section === "Reference" && part === undefined);
  return writeDocument({
    path,
    title: "Reference",
    description:
      "The facts about flags, keys, endpoints, refusals, misbehaviours and calls, made from the code.",
    here: path,
    shape: "reading",
    main: (
      <article>
        <h1>Reference</h1>
        <p class="lead">
          Every flag, key, endpoint, refusal, misbehaviour and call. These pages are made from the code.
        </p>
        {first.map((page) => (
          <section key={page.path}>
            <h2>
              <a href={relativePath(path, page.path)}>{page.title}</a>
            </h2>
            <p>{page.summary}</p>
            <p class="sections">
              {listSections(page).map(({ title, address }, at) => [
                at > 0 && " · ",
                <a key={address} href={relativePath(path, address)}>{title}</a>,
              ])}
            </p>
          </section>
        ))}
      </article>
    ),
  });
}

function listSections(page: SitePage): readonly { readonly title: string; readonly address: string }[] {
  const parts = page.parts.length > 0 ? page.parts : [page];
  return parts.flatMap((part) =>
    part.blocks.filter(({ level }) => level === 2).map(({ title, anchors: [anchor] }) => ({
      title: title!,
      address: `${part.path}#${anchor}`,
    }))
  );
}
