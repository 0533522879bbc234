/** Describes what the frame of a server with a dashboard shows. */

import { hmacSha256 } from "../../../ground/crypto/platform.ts";
import { findHeader } from "../../../server/oauth/contracts/journal.ts";
import { controlPath } from "../../guard/control_paths.ts";
import { clientHref, personHref } from "../addresses.ts";
import { conditionHrefs, listConditions } from "./list_conditions.ts";
import { formatCorrection } from "../playground/form_address.ts";
import { englishFrame } from "./frame_english.ts";
import type { FrameProps } from "./frame_props.ts";
import { listNewestTokens, listRecent } from "./list_recent.ts";
import { type DashboardOptions, listNeverShown } from "../dashboard_options.ts";
import { dashboardPages } from "../page_table.ts";
import type { Watched } from "../watched.ts";
import { present } from "../../../ground/values/present.ts";

/** `maySee`: the visitor may open the pages of the dashboard. Other machines need the key. */
export function describeFrame(
  watched: Watched,
  options: DashboardOptions,
  { maySee = !options.isReached, clockForm }: {
    readonly maySee?: boolean;
    readonly clockForm?: FrameProps["clockForm"] | undefined;
  } = {},
): FrameProps {
  const { key, label, control, embedded, isReached, peopleFile, printCommand, snippets, store } = options;
  const { services: { settings } } = watched;
  const { issuer, basePath } = settings;
  const pathOf = (name: string, rest = "") => `${basePath}/${name}${rest}`;
  return {
    issuer,
    program: options.program ?? "npx postern",
    ...present({ label, clockForm }),
    links: [
      { name: "home", text: englishFrame.links.home, href: `${basePath}/` },
      ...dashboardPages.flatMap(({ name, link }) =>
        link === undefined ? [] : [{ name, text: link, href: pathOf(name) }]
      ),
      ...(control === undefined || embedded !== undefined
        ? []
        : [{ name: "control", text: englishFrame.links.control, href: controlPath }]),
    ],
    urls: {
      playground: pathOf("playground"),
      inspector: pathOf("inspector"),
      people: pathOf("people"),
      clients: pathOf("clients"),
      client: (id) => clientHref(id, { pathOf }),
      person: (username) => personHref(username, { pathOf }),
    },
    conditions: listConditions(watched, { href: pathOf("misbehaviours"), maySee }),
    mayChange: control !== undefined,
    searchUrl: pathOf("search"),
    ...present({
      addPersonUrl: control === undefined || isReached
        ? undefined
        : (next: string | undefined) =>
          `${pathOf("people")}/add${next === undefined ? "" : `?${markNext(next, issuer, key)}`}`,
      peopleFile,
      printCommand,
      // The front page needs no key, so it must not show requests to other machines.
      front: isReached ? undefined : {
        ...present({ snippets: snippets && (() => snippets(settings)) }),
        recent: () => listRecent({ watched, pathOf, neverShown: listNeverShown(options) }),
        newestTokens: () => listNewestTokens({ watched, pathOf }),
        conditionHrefs: conditionHrefs(pathOf("misbehaviours")),
        ...present({ store }),
      },
    }),
    ownEntryUrl: (id) => isReached ? undefined : `${pathOf("inspector")}/${id}`,
    findCause: ({ address, entryId }) => {
      if (isReached) return undefined;
      const cause = watched.index.listAll().findLast(({ entry: { response } }) =>
        findHeader(response, "location")?.endsWith(address)
      );
      const { id = entryId, facts: { refusal } = {} } = cause?.entry ?? {};
      return { href: `${pathOf("inspector")}/${id}`, ...present({ refusal }) };
    },
    correctUrl: (sent) =>
      isReached ? undefined : formatCorrection(sent, watched.services, pathOf("playground")),
    entryUrl: (id) =>
      isReached || watched.index.find(id) === undefined ? undefined : `${pathOf("inspector")}/${id}`,
  };
}

/** Marks the address that a form leads back to as one of this server, because a page of another site may link to the form. */
function markNext(next: string, issuer: string, key: string): URLSearchParams {
  return new URLSearchParams({ next, mark: hmacSha256(key, `back to ${issuer} ${next}`) });
}
