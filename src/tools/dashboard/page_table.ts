/** The pages of the dashboard. A page is a folder and a line of this table. It is loaded when a person first opens it. */

import type { AnswerPage } from "./page.ts";

export interface DashboardPage {
  /** Its path is the name below the path of the issuer: `/inspector`. */
  readonly name: string;
  /** The text of its link in the frame. Absent: the frame has no link to it. */
  readonly link?: string;
  readonly load: () => Promise<AnswerPage>;
}

/** In the order of their links. */
export const dashboardPages: readonly DashboardPage[] = [
  {
    name: "playground",
    link: "Playground",
    load: async () => (await import("./playground/playground.ts")).answerPlayground,
  },
  {
    name: "inspector",
    link: "Inspector",
    load: async () => (await import("./inspector/inspector.ts")).answerInspector,
  },
  { name: "people", link: "People", load: async () => (await import("./directory/people.ts")).answerPeople },
  {
    name: "clients",
    link: "Clients",
    load: async () => (await import("./directory/clients.ts")).answerClients,
  },
  {
    name: "misbehaviours",
    link: "Misbehaviours",
    load: async () => (await import("./misbehaviours/misbehaviours.ts")).createMisbehaviours(),
  },
  { name: "search", load: async () => (await import("./search/search.ts")).answerSearch },
  { name: "session", load: async () => (await import("./session/answer_session.ts")).answerSession },
];

export interface FoundPage {
  readonly page: DashboardPage;
  /** What follows the name of the page. */
  readonly rest: string;
}

/** Finds the page at a path below the path of the issuer. */
export function findPageAt(path: string): FoundPage | undefined {
  const [, name = "", rest = ""] = /^\/([a-z_]+)(\/.*)?$/.exec(path) ?? [];
  const page = findPage(name);
  return page && { page, rest };
}

export function findPage(name: string): DashboardPage | undefined {
  return dashboardPages.find((page) => page.name === name);
}
